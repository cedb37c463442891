import { expect, test } from 'vitest'
import { syntheticPeople } from '../../testing/synthetic-people.ts'
import { matchLimits } from './match-limits.ts'
import { personAsBytes, recogniserOf } from './unwanted-people.ts'

const people = syntheticPeople(3)
const ada = people.person()
const LIMITS = matchLimits(10_000)
const GOOD = { sharpness: 90, brightness: 60, yaw: 0, pitch: 0, roll: 0 }
const POOR = { ...GOOD, sharpness: 5 }

const picturesOf = (person: Float32Array, count: number) =>
  Array.from({ length: count }, () => people.pictureOf(person))
const recognised = (is: ReturnType<typeof recogniserOf>, pictures: Float32Array[], quality = GOOD) =>
  pictures.filter((descriptor) => is({ descriptor, quality })).length

test('recognises the person in other pictures, and no stranger', () => {
  const isAda = recogniserOf([personAsBytes(picturesOf(ada, 5))], LIMITS)
  expect(recognised(isAda, picturesOf(ada, 100))).toBeGreaterThan(95)
  const strangers = Array.from({ length: 2_000 }, () => people.pictureOf(people.person()))
  expect(recognised(isAda, strangers)).toBe(0)
})

test('recognises each of several people', () => {
  const ben = people.person()
  const is = recogniserOf(
    [ada, ben].map((person) => personAsBytes(picturesOf(person, 5))),
    LIMITS,
  )
  for (const person of [ada, ben]) expect(recognised(is, picturesOf(person, 20))).toBeGreaterThan(17)
})

test('a poor face must be closer', () => {
  const isAda = recogniserOf([personAsBytes([ada])], LIMITS)
  const far = Array.from({ length: 20 }, () => people.pictureOf(ada, 0.45))
  expect(recognised(isAda, far)).toBe(20)
  expect(recognised(isAda, far, POOR)).toBe(0)
})

test('a face must be as close as the limits of its album say', () => {
  const far = [people.pictureOf(ada, 0.5)]
  expect(recognised(recogniserOf([personAsBytes([ada])], matchLimits(100)), far)).toBe(1)
  expect(recognised(recogniserOf([personAsBytes([ada])], matchLimits(1_000_000)), far)).toBe(0)
})

test('ignores a person that another version has written', () => {
  const person = personAsBytes([ada])
  for (const unreadable of [person.subarray(1), Buffer.concat([Buffer.of(9), person.subarray(1)])])
    expect(recognised(recogniserOf([unreadable], LIMITS), [ada])).toBe(0)
})
