import { expect, test } from 'vitest'
import type { FaceMatch } from '../face-index.ts'
import { type Evidence, findPerson, similarityLimits } from './find-person.ts'

const LIMITS = similarityLimits()

/** Each face is in a photo of its own, unless its name has one: `photo/face`. */
const match = (name: string, similarity: number): FaceMatch => ({
  faceId: name,
  photoId: name.split('/')[0]!,
  similarity,
})
const matches = (similarities: Record<string, number>) =>
  Object.entries(similarities).map(([name, similarity]) => match(name, similarity))

function find(evidence: Partial<Evidence>, limits = LIMITS) {
  const { sure, possible } = findPerson({ deciding: [], rejected: new Set(), ...evidence }, limits)
  return { sure: sure.map(({ faceId }) => faceId), possible: possible.map(({ faceId }) => faceId) }
}

test('a selfie decides alone: sure from 80, possible from 70, the best match first', () => {
  const deciding = [matches({ a: 80, b: 99, c: 79.9, d: 70, e: 69.9 })]
  expect(find({ deciding })).toEqual({ sure: ['b', 'a'], possible: ['c', 'd'] })
})

test('a threshold replaces the sure limit, and only lowers the possible one', () => {
  const deciding = [matches({ a: 95, b: 85, c: 72, d: 60 })]
  expect(find({ deciding }, similarityLimits(90))).toEqual({ sure: ['a'], possible: ['b', 'c'] })
  expect(find({ deciding }, similarityLimits(60))).toEqual({ sure: ['a', 'b', 'c', 'd'], possible: [] })
})

test('among children a face is sure from 93, or from a higher threshold', () => {
  const deciding = [matches({ a: 98, b: 93, c: 92.9, d: 70 })]
  expect(find({ deciding }, similarityLimits(undefined, true))).toEqual({
    sure: ['a', 'b'],
    possible: ['c', 'd'],
  })
  expect(find({ deciding }, similarityLimits(95, true)).sure).toEqual(['a'])
})

test('a face is sure when two found faces agree, and only possible when one says so', () => {
  const found = [matches({ x: 99, y: 99 }), matches({ x: 80, y: 79 })]
  expect(find({ found })).toEqual({ sure: ['x'], possible: ['y'] })
})

test('confirmed faces together agree once, and never without a found one', () => {
  const confirmed = [matches({ x: 99, y: 99 }), matches({ x: 99, y: 99 })]
  expect(find({ confirmed })).toEqual({ sure: [], possible: ['x', 'y'] })
  expect(find({ confirmed, found: [matches({ x: 81 })] })).toEqual({ sure: ['x'], possible: ['y'] })
})

test('only the best face of a photo counts, and a photo is not both sure and possible', () => {
  const deciding = [matches({ 'photo/a': 85, 'photo/b': 95, 'photo/c': 75, 'other/a': 75, 'other/b': 71 })]
  expect(find({ deciding })).toEqual({ sure: ['photo/b'], possible: ['other/a'] })
})

test('confirmed faces are sure, and rejected ones are neither', () => {
  const deciding = [matches({ a: 99, b: 75, c: 75 })]
  expect(find({ deciding, own: [{ faceId: 'b', photoId: 'b' }], rejected: new Set(['a', 'c']) })).toEqual({
    sure: ['b'],
    possible: [],
  })
})

test('at most 24 faces are asked about', () => {
  const deciding = [Array.from({ length: 30 }, (_, face) => match(`face-${face}`, 75))]
  expect(find({ deciding }).possible).toHaveLength(24)
})
