import { expect, test } from 'vitest'
import { ofLaterRound, photosWait } from './later-round.ts'

const DONE = {
  totalPhotos: 20,
  photosUploadedToS3: 20,
  photosIndexedToRekognition: 20,
  isUploadingToS3: false,
  isIndexingToRekognition: false,
  isCompleted: true,
  isOfAnotherEngine: false,
  photosPerMinute: null,
  secondsLeft: null,
}

test('a complete album is complete until photos are added, and again when they are indexed', () => {
  expect(photosWait(DONE)).toBe(false)
  expect(ofLaterRound(DONE).isCompleted).toBe(true)
  expect(ofLaterRound({ ...DONE, totalPhotos: 33 }).isCompleted).toBe(false)
})

test('an album that was never complete stays so', () => {
  expect(ofLaterRound({ ...DONE, isCompleted: false }).isCompleted).toBe(false)
})
