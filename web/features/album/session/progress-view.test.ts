import { expect, test } from 'vitest'
import { isEmpty, stepsOf } from './progress-view.tsx'

const NOTHING = {
  totalPhotos: 0,
  photosUploadedToS3: 0,
  photosIndexedToRekognition: 0,
  isUploadingToS3: false,
  isIndexingToRekognition: false,
  isCompleted: false,
  isOfAnotherEngine: false,
  facesEndedAt: null,
  photosPerMinute: null,
  secondsLeft: null,
}

const THIRTY = { ...NOTHING, totalPhotos: 30, photosUploadedToS3: 15 }

test.each([
  ['without photos', NOTHING, 'not-started', 'not-started'],
  [
    'of which some photos are uploaded and others are indexed',
    { ...THIRTY, isUploadingToS3: true, isIndexingToRekognition: true },
    'in-progress',
    'in-progress',
  ],
  [
    'with an indexed photo, while none waits for it',
    { ...THIRTY, photosIndexedToRekognition: 15, isUploadingToS3: true },
    'in-progress',
    'in-progress',
  ],
  [
    'whose photos are all uploaded, before indexing is flagged',
    { ...THIRTY, photosUploadedToS3: 30 },
    'done',
    'in-progress',
  ],
  ['that is complete, whatever its counts say', { ...THIRTY, isCompleted: true }, 'done', 'done'],
])('the steps of an album %s', (_what, progress, uploading, indexing) => {
  expect(stepsOf(progress)).toEqual({ uploading, indexing })
})

test.each([
  ['without photos and without an open round', NOTHING, true],
  ['whose first photos are being uploaded', { ...NOTHING, totalPhotos: 30, isUploadingToS3: true }, false],
  ['whose round is open without a stored photo', { ...NOTHING, isUploadingToS3: true }, false],
  ['with photos', { ...NOTHING, totalPhotos: 1, photosUploadedToS3: 1 }, false],
])('an album %s: is it empty?', (_what, progress, expected) => {
  expect(isEmpty(progress)).toBe(expected)
})
