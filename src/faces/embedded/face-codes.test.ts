import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { chunkOf } from '../../testing/memory-descriptor-store.ts'
import { randomNumbers } from '../../testing/rekognition/faults.ts'
import { DESCRIPTOR_LENGTH } from './descriptor-store.ts'
import { bytesOfFaces, createFaceCodes } from './face-codes.ts'

const DISTANCES = [0, 0.02, 0.3, 0.5, 0.75, 1.2, Number.POSITIVE_INFINITY]

interface Face {
  faceId: string
  descriptor: Float32Array
}

/** The same numbers from −1 to 1 in every run. */
function signedNumbers(seed: number): () => number {
  const next = randomNumbers(seed)
  return () => 2 * next() - 1
}

const next = signedNumbers(1)
const face = (numberAt: (index: number) => number): Face => ({
  faceId: randomUUID(),
  descriptor: Float32Array.from({ length: DESCRIPTOR_LENGTH }, (_, index) => numberAt(index)),
})
const faces = (count: number, numberAt: (place: number, index: number) => number) =>
  Array.from({ length: count }, (_, place) => face((index) => numberAt(place, index)))

function codesOf(all: Face[]) {
  const codes = createFaceCodes()
  for (let from = 0; from < all.length; from += 700) codes.add(chunkOf(all.slice(from, from + 700)))
  return codes
}

function distance(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let i = 0; i < DESCRIPTOR_LENGTH; i++) sum += (one[i]! - other[i]!) ** 2
  return Math.sqrt(sum)
}

const probe = face(() => next() * 0.3).descriptor
/** What a code stands for, and the number beside it that is rounded away from it. */
const exactly = (code: number) => code / 256
const roundedUp = (code: number) => (code + 0.5) / 256

const kinds: Record<string, { probe: Float32Array; faces: Face[] }> = {
  'at every distance': {
    probe,
    faces: faces(3_000, (place, i) => probe[i]! + next() * 0.15 * (place / 3_000)),
  },
  'whose codes are farther away than they are': {
    probe: face((i) => exactly(i % 50)).descriptor,
    faces: faces(500, (place, i) => roundedUp((i % 50) + (place % 23))),
  },
  'that are nearer than the codes of the searched one say': {
    probe: face((i) => roundedUp(i % 50)).descriptor,
    faces: faces(500, (place, i) => exactly((i % 50) - (place % 23))),
  },
  'with numbers beyond all codes': {
    probe: face(() => 0.7).descriptor,
    faces: faces(500, (place, i) => 0.7 + ((place % 50) / 50) * (i % 3 === 0 ? 1 : -0.01)),
  },
  'with huge numbers, tiny numbers and none': {
    probe: face((i) => (i === 0 ? 1e30 : 0)).descriptor,
    faces: [
      ...faces(10, (place) => 10 ** (place * 4 - 20)),
      face(() => Number.NaN),
      face(() => Number.POSITIVE_INFINITY),
      face((i) => (i === 0 ? 1e30 : 0)),
      face((i) => (i === 0 ? 1e30 : 1e-30)),
    ],
  },
  'that are all the same': { probe, faces: faces(200, (_, i) => probe[i]!) },
}

test.each(Object.entries(kinds))(
  'of faces %s, none within a distance is missed',
  (_, { probe, faces: all }) => {
    const codes = codesOf(all)
    expect(codes.size).toBe(all.length)
    for (const limit of DISTANCES) {
      const near = new Set(codes.near([probe], limit))
      const within = all.filter(({ descriptor }) => distance(descriptor, probe) <= limit)
      expect(
        within.filter(({ faceId }) => !near.has(faceId)),
        `within ${limit}`,
      ).toEqual([])
    }
    // As far away as the limit says.
    for (const { faceId, descriptor } of all.filter((_, place) => place % 10 === 0)) {
      const apart = distance(descriptor, probe)
      if (!Number.isNaN(apart)) expect(codes.near([probe], apart)).toContain(faceId)
    }
  },
)

test('removed faces are gone, all others remain, and faces can be added afterwards', () => {
  const all = faces(4_000, () => next() * 0.4)
  const codes = codesOf(all)
  const gone = all.filter((_, place) => place % 3 === 0 || (place > 1_000 && place < 2_000))
  codes.remove([...gone.map(({ faceId }) => faceId), randomUUID()])
  const left = all.filter((one) => !gone.includes(one))
  expect(codes.size).toBe(left.length)
  const more = faces(100, () => next() * 0.4)
  codes.add(chunkOf(more))
  const remaining = [...left, ...more]
  expect(codes.near([probe], Number.POSITIVE_INFINITY).toSorted()).toEqual(
    remaining.map(({ faceId }) => faceId).toSorted(),
  )
  for (const { faceId, descriptor } of [left[0]!, left.at(-1)!, more[50]!])
    expect(codes.near([descriptor], 0)).toEqual([faceId])
})

test('a face takes 148 bytes, and memory is given back', () => {
  expect(bytesOfFaces(1)).toBe(148)
  const all = faces(50_000, () => 0.1)
  const codes = codesOf(all)
  expect(codes.bytes).toBeGreaterThanOrEqual(bytesOfFaces(50_000))
  expect(codes.bytes).toBeLessThan(bytesOfFaces(50_000) * 1.3)
  codes.remove(all.map(({ faceId }) => faceId))
  expect(codes).toMatchObject({ size: 0, bytes: 0 })
  codes.add(chunkOf(all.slice(0, 3)))
  expect(codes.bytes).toBe(bytesOfFaces(3))
  codes.clear()
  expect(codes).toMatchObject({ size: 0, bytes: 0 })
  expect(codes.near([probe], Number.POSITIVE_INFINITY)).toEqual([])
})
