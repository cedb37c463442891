import { expect, test } from 'vitest'
import { type SelfieFace, selfieProblems } from './selfie-problems.ts'

const QUALITY = { sharpness: 50, brightness: 50, yaw: 5, pitch: 0, roll: 0 }

function face(quality: Partial<SelfieFace['quality']> = {}, side = 200): SelfieFace {
  return { quality: { ...QUALITY, ...quality }, side }
}

test('a good selfie has no problem', () => {
  expect(selfieProblems([face()])).toEqual([])
})

test('a selfie without a face', () => {
  expect(selfieProblems([])).toEqual(['NO_FACE'])
})

test.each([
  ['TOO_FAR_AWAY', face({}, 39)],
  ['BLURRED', face({ sharpness: 20 })],
  ['TURNED_AWAY', face({ yaw: 40 })],
  ['TURNED_AWAY', face({ yaw: -40 })],
  ['TOO_DARK', face({ brightness: 12 })],
  ['TOO_BRIGHT', face({ brightness: 95 })],
])('%s', (problem, selfie) => {
  expect(selfieProblems([selfie])).toEqual([problem])
})

test('all problems are named', () => {
  expect(selfieProblems([face({ sharpness: 10, yaw: 50, brightness: 5 }, 30)])).toEqual([
    'TOO_FAR_AWAY',
    'TURNED_AWAY',
    'TOO_DARK',
    'BLURRED',
  ])
})

test('a second person is a problem, and somebody in the background is none', () => {
  expect(selfieProblems([face(), face({}, 150)])).toEqual(['SEVERAL_FACES'])
  expect(selfieProblems([face(), face({}, 80)])).toEqual([])
})

test('the problems are those of the largest face', () => {
  expect(selfieProblems([face(), face({ yaw: 60 }, 50)])).toEqual([])
})

test('what an engine does not measure is no problem', () => {
  const unknown = { sharpness: null, brightness: null, yaw: null, pitch: null, roll: null }
  expect(selfieProblems([face(unknown)])).toEqual([])
})
