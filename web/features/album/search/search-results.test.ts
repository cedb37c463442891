import { expect, test } from 'vitest'
import type { Found } from './found.ts'
import type { Person } from './person.ts'
import { newFirst, nothingFound, resultsHeading } from './search-results.tsx'

const selfie = new File(['a'], 'a.jpg')
const found = (person: Partial<Person>, total = 12) => ({ person, photos: Array(total) }) as unknown as Found

test('the heading says who is searched for, and what is new', () => {
  expect(resultsHeading(found({ selfies: [selfie] }), 0)).toBe('Found 12 Photos!')
  expect(resultsHeading(found({ selfies: [selfie] }, 1), 0)).toBe('Found 1 Photo!')
  expect(resultsHeading(found({ isRemembered: true }), 1200)).toBe(
    'Your photos, 1,200 new since your last visit',
  )
  expect(resultsHeading(found({ isRemembered: true }), 0)).toBe(
    'Your photos, nothing new since your last visit',
  )
})

test('with a second person, the heading says which photos are shown', () => {
  const other = { selfie, face: 0, seen: [], combine: 'both' } as const
  expect(resultsHeading(found({ other }), 0)).toBe('Found 12 Photos with both of you!')
  expect(resultsHeading(found({ isRemembered: true, other: { ...other, combine: 'either' } }), 3)).toBe(
    'Found 12 Photos with either of you!',
  )
  expect(nothingFound(found({ other }, 0)).title).toBe('No Photos with Both of You')
  expect(nothingFound(found({ isRemembered: true }, 0)).text).toMatch(/Come back later/)
})

test('new photos come first, and the others stay in their order', () => {
  expect(newFirst([1, 2, 3, 4, 5], (photo) => photo % 2 === 0)).toEqual([2, 4, 1, 3, 5])
})
