import { expect, test } from 'vitest'
import type { FaceQuality } from '../../face-index.ts'
import { problemsOf as problemsOfSelfie } from './seen-selfies.ts'

const QUALITY = { sharpness: 50, brightness: 50, yaw: 5, pitch: 0, roll: 0 }

interface SelfieFace {
  quality: FaceQuality
  side: number
}

function face(quality: Partial<FaceQuality> = {}, side = 200): SelfieFace {
  return { quality: { ...QUALITY, ...quality }, side }
}

function problemsOf(selfie: SelfieFace[], searched = 0) {
  const box = { left: 0, top: 0, width: 0.1, height: 0.1 }
  const descriptor = new Float32Array(128)
  const quality = selfie[searched]?.quality
  return problemsOfSelfie({
    faces: selfie.map(({ side }) => ({ box, side })),
    searched,
    described: quality && { box, confidence: 99, quality, descriptor },
  })
}

test('a good selfie has no problem', () => {
  expect(problemsOf([face()])).toEqual([])
})

test('a selfie without a face, and one that is too dark to see a face', () => {
  const empty = { faces: [], searched: 0, described: undefined }
  expect(problemsOfSelfie({ ...empty, pictureBrightness: 16 })).toEqual(['NO_FACE'])
  expect(problemsOfSelfie({ ...empty, pictureBrightness: 14 })).toEqual(['TOO_DARK', 'NO_FACE'])
})

test.each([
  ['TOO_FAR_AWAY', face({}, 39)],
  ['BLURRED', face({ sharpness: 20 })],
  ['TURNED_AWAY', face({ yaw: 40 })],
  ['TURNED_AWAY', face({ yaw: -40 })],
  ['TOO_DARK', face({ brightness: 12 })],
  ['TOO_BRIGHT', face({ brightness: 95 })],
])('%s', (problem, selfie) => {
  expect(problemsOf([selfie])).toEqual([problem])
})

test('a second person is a problem, and somebody in the background is none', () => {
  expect(problemsOf([face(), face({}, 150)])).toEqual(['SEVERAL_FACES'])
  expect(problemsOf([face(), face({}, 80)])).toEqual([])
})

test('the problems are those of the face that is searched by', () => {
  const selfie = [face(), face({ yaw: 60 }, 90)]
  expect(problemsOf(selfie)).toEqual([])
  expect(problemsOf(selfie, 1)).toEqual(['SEVERAL_FACES', 'TURNED_AWAY'])
})
