import { expect, test } from 'vitest'
import type { SearchedSelfie } from '../../../src/contract/search.ts'
import { SELFIE_ADVICE } from '../../../src/contract/selfie-advice.ts'
import { adviceOn, leftOut } from './selfie-notes.ts'

const box = { left: 0.3, top: 0.3, width: 0.3, height: 0.3 }
const good: SearchedSelfie = { faces: [{ box }], searched: 0, problems: [], isSomebodyElse: false }
const dark: SearchedSelfie = { ...good, problems: ['TOO_DARK', 'BLURRED'] }
const blurred: SearchedSelfie = { ...good, problems: ['BLURRED'] }
const group: SearchedSelfie = { ...good, faces: [{ box }, { box }], problems: ['SEVERAL_FACES'] }
const other: SearchedSelfie = { ...dark, isSomebodyElse: true }
const empty: SearchedSelfie = { ...good, faces: [], problems: ['NO_FACE'] }

test('nothing is said about good selfies', () => {
  expect(leftOut([good, good])).toEqual([])
  expect(adviceOn([good, good])).toBeUndefined()
  expect(adviceOn([])).toBeUndefined()
})

test('a selfie of somebody else, or without a face, is named', () => {
  expect(leftOut([good, other, empty])).toEqual([
    'Your second selfie shows a different person from the first one. It was left out.',
    'Your third selfie shows no face. It was left out.',
  ])
  expect(adviceOn([good, other, empty])).toBeUndefined()
})

test('a poor selfie is answered with the first thing to do better', () => {
  expect(adviceOn([dark])).toBe(SELFIE_ADVICE.TOO_DARK)
  expect(adviceOn([blurred, dark, empty])).toBe(SELFIE_ADVICE.BLURRED)
})

test('beside a good selfie a poor one is no problem', () => {
  expect(adviceOn([dark, good])).toBeUndefined()
  expect(adviceOn([dark, group])).toBeUndefined()
})

test('several faces are no problem: the visitor chooses one', () => {
  expect(adviceOn([group])).toBeUndefined()
  expect(adviceOn([{ ...group, problems: ['SEVERAL_FACES', 'TURNED_AWAY'] }])).toBe(SELFIE_ADVICE.TURNED_AWAY)
})
