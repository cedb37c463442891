import { expect, test } from 'vitest'
import { MOST_POSSIBLE } from '../../../contract/limits.ts'
import { syntheticPeople } from '../../../testing/synthetic-people.ts'
import { type AlbumFace, beginToFind } from './find-person.ts'
import { distanceOf } from './query-embedding.ts'
import { similarityOfDistance } from './similarity.ts'

const LIMITS = { sure: 0.5, possible: 0.6, reach: 0.7, nonMates: 0.9 }
const people = syntheticPeople(7)
const ada = people.person()
const selfie = { descriptor: people.pictureOf(ada), strictness: 0 }

/** Searches faces that are all known from the beginning. */
const findPerson = (...all: Parameters<typeof beginToFind>) => beginToFind(...all).finish([])

function face(photoId: string, descriptor: Float32Array, strictness = 0): AlbumFace {
  return { faceId: `face of ${photoId}`, photoId, descriptor, strictness }
}

/** Photos of Ada alone. */
function photosOfAda(count: number, strictness = 0): AlbumFace[] {
  return Array.from({ length: count }, (_, n) => face(`ada ${n}`, people.pictureOf(ada), strictness))
}

/** At this distance from the selfie, and not in the direction of any other face. */
function fromSelfie(distance: number): Float32Array {
  return people.pictureOf(selfie.descriptor, distance)
}

/** A picture of Ada that is too far from the selfie to be sure, and near enough to the average of her pictures. */
const unusual = face(
  'unusual',
  Array.from({ length: 200 }, () => people.pictureOf(ada, 0.45)).find(
    (picture) => distanceOf(picture, selfie.descriptor) > 0.51,
  )!,
)

function photosIn(matches: readonly { photoId: string }[]): string[] {
  return matches.map(({ photoId }) => photoId).sort()
}

function photosFound(
  faces: AlbumFace[],
  query: Partial<Parameters<typeof findPerson>[0]> = {},
  limits = LIMITS,
) {
  const { sure, possible } = findPerson({ selfies: [selfie], ...query }, faces, limits)
  return { sure: photosIn(sure), possible: photosIn(possible) }
}

test('finds with the average of the sure pictures what the selfie alone does not find', () => {
  expect(photosFound([unusual])).toEqual({ sure: [], possible: ['unusual'] })
  expect(photosFound([unusual, ...photosOfAda(6)]).sure).toContain('unusual')
})

test('shows no stranger', () => {
  const strangers = Array.from({ length: 2_000 }, (_, n) =>
    face(`stranger ${n}`, people.pictureOf(people.person())),
  )
  const own = photosOfAda(5)
  expect(photosFound([...strangers, ...own])).toEqual({ sure: photosIn(own), possible: [] })
})

test('gives the best match first, with the similarity of the nearer of selfie and average', () => {
  const { sure } = findPerson(
    { selfies: [selfie] },
    [face('far', fromSelfie(0.45)), face('near', fromSelfie(0.1))],
    LIMITS,
  )
  expect(sure.map(({ photoId }) => photoId)).toEqual(['near', 'far'])
  expect(sure[0]!.similarity).toBeGreaterThanOrEqual(similarityOfDistance(0.1) - 1e-3)
})

test('only the best face of a photo counts', () => {
  const faces = [face('photo', fromSelfie(0.4)), { ...face('photo', fromSelfie(0.2)), faceId: 'best' }]
  const { sure, possible } = findPerson({ selfies: [selfie] }, faces, LIMITS)
  expect(sure).toEqual([{ faceId: 'best', photoId: 'photo', similarity: expect.any(Number) }])
  expect(possible).toEqual([])
})

test('a face that is closer to somebody beside the person is not sure', () => {
  const sister = people.lookAlike(ada, 0.38)
  const own = photosOfAda(4)
  const alone = face('sister alone', people.pictureOf(sister, 0.12))
  expect(photosFound([...own, alone]).sure).toContain('sister alone')
  const beside = { ...face('ada 0', people.pictureOf(sister, 0.12)), faceId: 'sister beside' }
  expect(photosFound([...own, beside, alone])).toEqual({ sure: photosIn(own), possible: ['sister alone'] })
})

test("a person's own mirror image takes no photo away", () => {
  const own = photosOfAda(5)
  const toSelfie = ({ descriptor }: AlbumFace) => distanceOf(descriptor, selfie.descriptor)
  const [nearest, ...others] = own.toSorted((one, other) => toSelfie(one) - toSelfie(other))
  const mirrored = people.pictureOf(others.at(-1)!.descriptor, 0.1)
  const faces = [...own, { ...face(nearest!.photoId, mirrored), faceId: 'mirrored' }]
  expect(photosFound(faces)).toEqual({ sure: photosIn(own), possible: [] })
})

test('a sister in the same photo does not take it away', () => {
  const own = photosOfAda(4)
  const ada2 = face('both', people.pictureOf(ada, 0.4))
  const sister = { ...face('both', people.pictureOf(ada2.descriptor, 0.3)), faceId: 'sister' }
  expect(photosFound([...own, ada2, sister]).sure).toContain('both')
})

test('a stranger who was confirmed by mistake brings in none of their other photos', () => {
  const stranger = people.lookAlike(ada, 0.62)
  const theirs = Array.from({ length: 20 }, (_, n) => face(`stranger ${n}`, people.pictureOf(stranger)))
  for (const own of [[], photosOfAda(3), photosOfAda(10)]) {
    const { sure } = photosFound([...own, ...theirs], { confirmed: [theirs[0]!] })
    expect(sure).toEqual(photosIn([...own, theirs[0]!]))
  }
})

test('a confirmed face is sure, and the person is asked about faces like it', () => {
  const inCostume = people.lookAlike(ada, 0.55)
  const [confirmed, ...others] = [0, 1, 2].map((n) => face(`costume ${n}`, people.pictureOf(inCostume, 0.25)))
  const faces = [confirmed!, ...others]
  const limits = { ...LIMITS, possible: 0.56 }
  expect(photosFound(faces, {}, limits).sure).toEqual([])
  expect(photosFound(faces, { confirmed: [confirmed!] }, limits)).toEqual({
    sure: ['costume 0'],
    possible: ['costume 1', 'costume 2'],
  })
})

test('a search by confirmed faces finds what the selfie does not', () => {
  expect(photosFound([unusual], { confirmed: photosOfAda(4) }).sure).toEqual(['unusual'])
  expect(photosFound([unusual], { confirmed: photosOfAda(4, 0.04) }).sure).toEqual([])
})

test('a rejected face is not shown again', () => {
  const faces = [face('sure', fromSelfie(0.3)), face('possible', fromSelfie(0.58))]
  expect(photosFound(faces, { rejected: new Set(faces.map(({ faceId }) => faceId)) })).toEqual({
    sure: [],
    possible: [],
  })
})

test('a poor face must be closer to be sure', () => {
  const descriptor = fromSelfie(0.48)
  expect(photosFound([face('good', descriptor)]).sure).toEqual(['good'])
  expect(photosFound([face('poor', descriptor, 0.04)])).toEqual({ sure: [], possible: ['poor'] })
})

test('nothing is searched by poor faces', () => {
  const poor = photosOfAda(6, 0.04)
  const { sure, possible } = photosFound([unusual, ...poor])
  expect(sure).toEqual(photosIn(poor))
  expect(possible).toEqual(['unusual'])
})

test('a poor selfie finds less, and counts for nothing beside a good one', () => {
  const faces = [face('photo', fromSelfie(0.48))]
  const poor = { ...selfie, strictness: 0.04 }
  expect(photosFound(faces, { selfies: [poor] }).sure).toEqual([])
  const useless = { descriptor: people.pictureOf(people.person()), strictness: 0.04 }
  expect(photosFound(faces, { selfies: [useless, selfie] }).sure).toEqual(['photo'])
})

test('several selfies find what one of them does not', () => {
  const selfies = [selfie, ...photosOfAda(3)]
  expect(photosFound([unusual], { selfies }).sure).toEqual(['unusual'])
})

test('asks about a limited number of faces, the closest ones', () => {
  const faces = Array.from({ length: 40 }, (_, n) => face(`${n}`, fromSelfie(0.52 + n / 1_000)))
  const { possible } = findPerson({ selfies: [selfie] }, faces, LIMITS)
  expect(possible.map(({ photoId }) => photoId)).toEqual(
    faces.slice(0, MOST_POSSIBLE).map(({ photoId }) => photoId),
  )
})
