import { expect, test } from 'vitest'
import type { SearchedSelfie } from '../../../../src/contract/search.ts'
import { SELFIE_ADVICE } from '../../../../src/contract/selfie-advice.ts'
import { adviceOn, leftOut } from './seen-in-selfies.tsx'

const box = { left: 0.3, top: 0.3, width: 0.3, height: 0.3 }
const good: SearchedSelfie = { faces: [{ box }], searched: 0, problems: [], isSomebodyElse: false }
const dark: SearchedSelfie = { ...good, problems: ['TOO_DARK', 'BLURRED'] }
const blurred: SearchedSelfie = { ...good, problems: ['BLURRED'] }
const group: SearchedSelfie = { ...good, faces: [{ box }, { box }], problems: ['SEVERAL_FACES'] }
const other: SearchedSelfie = { ...dark, isSomebodyElse: true }
const empty: SearchedSelfie = { ...good, faces: [], problems: ['NO_FACE'] }

test('a selfie of somebody else, or without a face, is named', () => {
  expect(leftOut([good, good])).toEqual([])
  expect(leftOut([good, other, empty])).toEqual([
    'Your second selfie shows a different person from the first one. It was left out.',
    'Your third selfie shows no face. It was left out.',
  ])
})

test.each([
  ['good selfies', [good, good], undefined],
  ['no selfie', [], undefined],
  ['a good one beside others that were left out', [good, other, empty], undefined],
  ['a poor one: the first thing to do better', [dark], SELFIE_ADVICE.TOO_DARK],
  ['several poor ones', [blurred, dark, empty], SELFIE_ADVICE.BLURRED],
  ['a poor one beside a good one', [dark, good], undefined],
  ['a poor one beside a group', [dark, group], undefined],
  ['several faces: the visitor chooses one', [group], undefined],
  ['a poor group', [{ ...group, problems: ['SEVERAL_FACES', 'TURNED_AWAY'] }], SELFIE_ADVICE.TURNED_AWAY],
] as [string, SearchedSelfie[], string | undefined][])('the advice on %s', (_what, selfies, advice) => {
  expect(adviceOn(selfies)).toBe(advice)
})
