import { expect, test } from 'vitest'
import { syntheticPeople } from '../../../testing/synthetic-people.ts'
import { type GoodFace, nonMateDistances } from './non-mate-distances.ts'

const people = syntheticPeople()

/** A photo of these people. */
function photo(photoId: string, ...persons: Float32Array[]): GoodFace[] {
  return persons.map((person) => ({ photoId, descriptor: people.pictureOf(person) }))
}

function nonMatesInPhotos(count: number): GoodFace[] {
  return Array.from({ length: count }, (_, n) => photo(`${n}`, people.person(), people.person())).flat()
}

test('two faces of one photo are strangers', () => {
  const { pairs, median, deviation } = nonMateDistances(nonMatesInPhotos(200))
  expect(pairs).toBe(200)
  expect(median).toBeCloseTo(0.9, 1)
  expect(deviation).toBeGreaterThan(0.02)
  expect(deviation).toBeLessThan(0.1)
})

test('faces of different photos may be of one person', () => {
  const person = people.person()
  expect(nonMateDistances([...photo('1', person), ...photo('2', person)]).pairs).toBe(0)
  expect(nonMateDistances([]).pairs).toBe(0)
})

test('a pair that is in many photos counts once, in either order', () => {
  const [ada, ben] = [people.person(), people.person()]
  const together = Array.from({ length: 50 }, (_, n) =>
    n % 2 ? photo(`${n}`, ada, ben) : photo(`${n}`, ben, ada),
  )
  expect(nonMateDistances([...together.flat(), ...photo('other', ada, people.person())]).pairs).toBe(2)
})

test('a group photo gives one pair', () => {
  const group = Array.from({ length: 30 }, () => people.person())
  expect(nonMateDistances(photo('group', ...group)).pairs).toBe(1)
})

test('a person and their mirror image are no strangers', () => {
  const person = people.person()
  const mirrored = { photoId: '1', descriptor: people.pictureOf(person, 0.1) }
  expect(nonMateDistances([{ ...mirrored, descriptor: person }, mirrored]).pairs).toBe(0)
})

test('the deviation is that of the smaller distances', () => {
  const zero = new Float32Array(128)
  const pair = (distance: number, n: number): GoodFace[] => [
    { photoId: `${n}`, descriptor: zero.map((_, i) => (i === n ? 5 : 0)) },
    { photoId: `${n}`, descriptor: zero.map((_, i) => (i === n ? 5 + distance : 0)) },
  ]
  const pairsOf = (...distances: number[]) => distances.flatMap(pair)
  expect(nonMateDistances(pairsOf(0.6, 0.8, 0.8, 0.8, 0.9))).toEqual(
    expect.objectContaining({ pairs: 5, median: expect.closeTo(0.8, 5) }),
  )
  const near = nonMateDistances(pairsOf(0.7, 0.75, 0.8, 0.85, 0.9))
  const far = nonMateDistances(pairsOf(0.7, 0.75, 0.8, 1.2, 1.6))
  expect(far.deviation).toBeCloseTo(near.deviation, 5)
  expect(near.deviation).toBeCloseTo(Math.sqrt((0.1 ** 2 + 0.05 ** 2) / 3), 5)
})
