import { expect, test } from 'vitest'
import { syntheticPeople } from '../../../testing/synthetic-people.ts'
import { matchLimits } from './match-limits.ts'
import { personAsBytes, recognise } from './unwanted-people.ts'

const people = syntheticPeople(3)
const ada = people.person()
const LIMITS = matchLimits(10_000)
const GOOD = { sharpness: 90, brightness: 60, yaw: 0, pitch: 0, roll: 0 }
const POOR = { ...GOOD, sharpness: 5 }

const picturesOf = (person: Float32Array, count: number) =>
  Array.from({ length: count }, () => people.pictureOf(person))
/** In how many photos, each with one of these pictures, somebody is recognised. */
const recognised = (known: Buffer[], pictures: Float32Array[], quality = GOOD, limits = LIMITS) =>
  pictures.filter((descriptor) => recognise([{ descriptor, quality }], known, limits).size === 1).length

test('recognises the person in other pictures, and no stranger', () => {
  const known = [personAsBytes(picturesOf(ada, 5))]
  expect(recognised(known, picturesOf(ada, 100))).toBeGreaterThan(95)
  const strangers = Array.from({ length: 2_000 }, () => people.pictureOf(people.person()))
  expect(recognised(known, strangers)).toBe(0)
})

test('recognises each of several people', () => {
  const ben = people.person()
  const known = [ada, ben].map((person) => personAsBytes(picturesOf(person, 5)))
  for (const person of [ada, ben]) expect(recognised(known, picturesOf(person, 20))).toBeGreaterThan(17)
  const [one, other] = [ben, ada].map((person) => ({ descriptor: person, quality: GOOD }))
  expect(recognise([one!, other!], known, LIMITS)).toEqual(
    new Map([
      [other, 0],
      [one, 1],
    ]),
  )
})

test('recognises only the closest face of a photo, because a person is in it once', () => {
  const faces = [0.3, 0.1, 0.2].map((away) => ({ descriptor: people.pictureOf(ada, away), quality: GOOD }))
  expect([...recognise(faces, [personAsBytes([ada])], LIMITS).keys()]).toEqual([faces[1]])
})

test('a poor face must be closer', () => {
  const known = [personAsBytes([ada])]
  const far = Array.from({ length: 20 }, () => people.pictureOf(ada, 0.45))
  expect(recognised(known, far)).toBe(20)
  expect(recognised(known, far, POOR)).toBe(0)
})

test('a face must be as close as the limits of its album say', () => {
  const far = [people.pictureOf(ada, 0.5)]
  expect(recognised([personAsBytes([ada])], far, GOOD, matchLimits(100))).toBe(1)
  expect(recognised([personAsBytes([ada])], far, GOOD, matchLimits(1_000_000))).toBe(0)
})
