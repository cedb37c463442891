import { expect, test } from 'vitest'
import type { DetectedFace } from './search-calls.ts'
import { isAlone, seenInSelfie } from './selfie-faces.ts'

const GOOD = { sharpness: 85, brightness: 60, yaw: 5, pitch: 5, roll: 40 }
const box = (left: number, width: number) => ({ left, top: 0.2, width, height: width })
const face = (quality: Partial<DetectedFace['quality']> = {}, left = 0.4, width = 0.3): DetectedFace => ({
  box: box(left, width),
  quality: { ...GOOD, ...quality },
})

test('a good face has no problems, and all faces are named', () => {
  expect(seenInSelfie(box(0.41, 0.3), [face(), face({}, 0.1, 0.1)])).toEqual({
    faces: [{ box: box(0.4, 0.3) }, { box: box(0.1, 0.1) }],
    searched: 0,
    problems: [],
  })
})

test.each([
  ['TURNED_AWAY', { yaw: -50 }],
  ['TURNED_AWAY', { pitch: -35 }],
  ['TURNED_AWAY', { pitch: 50 }],
  ['TOO_DARK', { brightness: 10 }],
  ['TOO_BRIGHT', { brightness: 97 }],
  ['BLURRED', { sharpness: 5 }],
] as const)('says %s of %o', (problem, quality) => {
  expect(seenInSelfie(box(0.4, 0.3), [face(quality)]).problems).toEqual([problem])
})

test('looking up a little, and values that are missing, are no problem', () => {
  const nothing = { sharpness: null, brightness: null, yaw: null, pitch: null, roll: null }
  for (const quality of [{ pitch: 40 }, nothing])
    expect(seenInSelfie(box(0.4, 0.3), [face(quality)]).problems).toEqual([])
})

test('says that others are in the foreground, and which face was searched by', () => {
  const faces = [face({}, 0.5, 0.3), face({}, 0.1, 0.2)]
  expect(seenInSelfie(box(0.12, 0.18), faces)).toMatchObject({ searched: 1, problems: ['SEVERAL_FACES'] })
})

test('without detected faces, the box of the searched one is known, and whether it is far away', () => {
  const far = { left: 0.5, top: 0.5, width: 0.02, height: 0.03 }
  expect(seenInSelfie(far, undefined)).toEqual({
    faces: [{ box: far }],
    searched: 0,
    problems: ['TOO_FAR_AWAY'],
  })
  expect(seenInSelfie(undefined, undefined)).toEqual({ faces: [], searched: 0, problems: ['NO_FACE'] })
})

test('a chosen face that could not be searched by is still named', () => {
  expect(seenInSelfie(undefined, [face(), face({}, 0.1, 0.1)], 1)).toMatchObject({ searched: 1 })
})

test('a face of half the width of a picture leaves room for nobody', () => {
  expect([isAlone(box(0.2, 0.5)), isAlone(box(0.2, 0.49))]).toEqual([true, false])
})
