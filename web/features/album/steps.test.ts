import { expect, test } from 'vitest'
import { isEmpty, stepsOf } from './steps.ts'

const NOTHING = {
  totalPhotos: 0,
  photosUploadedToS3: 0,
  photosIndexedToRekognition: 0,
  isUploadingToS3: false,
  isIndexingToRekognition: false,
  isCompleted: false,
  photosPerMinute: null,
  secondsLeft: null,
}

test('an album without photos has started neither step', () => {
  expect(stepsOf(NOTHING)).toEqual({ uploading: 'not-started', indexing: 'not-started' })
})

test('both steps are in progress while some photos are uploaded and others are indexed', () => {
  const progress = {
    ...NOTHING,
    totalPhotos: 30,
    photosUploadedToS3: 15,
    isUploadingToS3: true,
    isIndexingToRekognition: true,
  }
  expect(stepsOf(progress)).toEqual({ uploading: 'in-progress', indexing: 'in-progress' })
})

test('the second step is active as soon as one photo is indexed, also while none waits for it', () => {
  const progress = {
    ...NOTHING,
    totalPhotos: 9,
    photosUploadedToS3: 6,
    photosIndexedToRekognition: 6,
    isUploadingToS3: true,
  }
  expect(stepsOf(progress)).toEqual({ uploading: 'in-progress', indexing: 'in-progress' })
})

test('the second step is active once all photos are uploaded, even before indexing is flagged', () => {
  const progress = { ...NOTHING, totalPhotos: 30, photosUploadedToS3: 30 }
  expect(stepsOf(progress)).toEqual({ uploading: 'done', indexing: 'in-progress' })
})

test('a completed album has done both, whatever its counts say', () => {
  const progress = { ...NOTHING, totalPhotos: 30, photosUploadedToS3: 29, isCompleted: true }
  expect(stepsOf(progress)).toEqual({ uploading: 'done', indexing: 'done' })
})

test.each([
  ['without photos and without an open round', NOTHING, true],
  ['whose first photos are being uploaded', { ...NOTHING, totalPhotos: 30, isUploadingToS3: true }, false],
  ['whose round is open without a stored photo', { ...NOTHING, isUploadingToS3: true }, false],
  ['with photos', { ...NOTHING, totalPhotos: 1, photosUploadedToS3: 1 }, false],
])('an album %s: is it empty?', (_what, progress, expected) => {
  expect(isEmpty(progress)).toBe(expected)
})
