import { expect, test } from 'vitest'
import { syntheticPeople } from '../../../testing/synthetic-people.ts'
import { type GoodFace, strangerDistances } from './stranger-distances.ts'

const people = syntheticPeople()

/** A photo of these people. */
function photo(photoId: string, ...persons: Float32Array[]): GoodFace[] {
  return persons.map((person) => ({ photoId, descriptor: people.pictureOf(person) }))
}

function strangersInPhotos(count: number): GoodFace[] {
  return Array.from({ length: count }, (_, n) => photo(`${n}`, people.person(), people.person())).flat()
}

test('two faces of one photo are strangers', () => {
  const { couples, median, deviation } = strangerDistances(strangersInPhotos(200))!
  expect(couples).toBe(200)
  expect(median).toBeCloseTo(0.9, 1)
  expect(deviation).toBeGreaterThan(0.02)
  expect(deviation).toBeLessThan(0.1)
})

test('faces of different photos may be of one person', () => {
  const person = people.person()
  expect(strangerDistances([...photo('1', person), ...photo('2', person)])).toBeUndefined()
  expect(strangerDistances([])).toBeUndefined()
})

test('a couple that is in many photos counts once, in either order', () => {
  const [ada, ben] = [people.person(), people.person()]
  const together = Array.from({ length: 50 }, (_, n) =>
    n % 2 ? photo(`${n}`, ada, ben) : photo(`${n}`, ben, ada),
  )
  expect(strangerDistances([...together.flat(), ...photo('other', ada, people.person())])!.couples).toBe(2)
})

test('a group photo gives one couple', () => {
  const group = Array.from({ length: 30 }, () => people.person())
  expect(strangerDistances(photo('group', ...group))!.couples).toBe(1)
})

test('a person and their mirror image are no strangers', () => {
  const person = people.person()
  const mirrored = { photoId: '1', descriptor: people.pictureOf(person, 0.1) }
  expect(strangerDistances([{ ...mirrored, descriptor: person }, mirrored])).toBeUndefined()
})

test('the deviation is that of the smaller distances', () => {
  const zero = new Float32Array(128)
  const couple = (distance: number, n: number): GoodFace[] => [
    { photoId: `${n}`, descriptor: zero.map((_, i) => (i === n ? 5 : 0)) },
    { photoId: `${n}`, descriptor: zero.map((_, i) => (i === n ? 5 + distance : 0)) },
  ]
  const pairs = (...distances: number[]) => distances.flatMap(couple)
  expect(strangerDistances(pairs(0.6, 0.8, 0.8, 0.8, 0.9))).toEqual(
    expect.objectContaining({ couples: 5, median: expect.closeTo(0.8, 5) }),
  )
  const near = strangerDistances(pairs(0.7, 0.75, 0.8, 0.85, 0.9))!
  const far = strangerDistances(pairs(0.7, 0.75, 0.8, 1.2, 1.6))!
  expect(far.deviation).toBeCloseTo(near.deviation, 5)
  expect(near.deviation).toBeCloseTo(Math.sqrt((0.1 ** 2 + 0.05 ** 2) / 3), 5)
})
