import { expect, test } from 'vitest'
import type { FileVerdict } from '../../../src/contract/photos.ts'
import { upload as texts } from '../../../src/texts/english/upload.ts'
import { startOf, type Transfer } from './engine.ts'
import * as outcome from './state.ts'

function upload(change: Partial<Transfer>, known = 0): outcome.EndedUpload {
  return outcome.endOf({ ...startOf([]), ...change }, known)
}

const of = (count: number, status: FileVerdict['status']) =>
  Array.from({ length: count }, (): FileVerdict => ({ filename: 'a.jpg', status }))
const stored = (count: number) => of(count, 'stored')
const there = (count: number) => of(count, 'duplicate')
const failed = (count: number) => of(count, 'refused')

const GONE = { reason: 'lost' as const, message: 'This album no longer exists.' }

test.each([
  [
    'success',
    'Upload completed!',
    '40 photos uploaded successfully, 0 failed',
    upload({ files: stored(40) }),
  ],
  [
    'error',
    'Upload completed!',
    '40,000 photos uploaded successfully (including 1,200 retried batches), 5,000 failed',
    upload({ files: [...stored(40_000), ...failed(5_000)], retriedBatches: 1_200 }),
  ],
  [
    'error',
    'Upload failed',
    'No photos were uploaded successfully. Please try again.',
    upload({ files: failed(3) }),
  ],
  // One that was stopped is a success when a photo was uploaded.
  [
    'error',
    'Upload completed!',
    '15 photos uploaded successfully, 30 failed',
    upload({ files: [...stored(15), ...failed(30)], stopped: GONE }),
  ],
  ['error', 'Upload Failed', 'This album no longer exists.', upload({ files: failed(5), stopped: GONE }, 15)],
  ['success', 'Already in the album', '1,200 photos are already in the album', upload({}, 1_200)],
  [
    'error',
    'Already in the album',
    '1 photo is already in the album',
    upload({ files: [...there(1), ...failed(2)] }),
  ],
  // The specification has no singular for batches.
  [
    'success',
    'Upload completed!',
    '1 photo uploaded successfully (including 1 retried batches), 0 failed',
    upload({ files: stored(1), retriedBatches: 1 }),
  ],
])('the end of an upload is announced as %s: %s %s', (tone, title, description, end) => {
  expect(outcome.endToast(end)).toEqual({ title, description, tone })
})

test('an upload that broke off is announced with its reason', () => {
  expect(outcome.unexpectedFailure(new Error('Out of memory')).description).toBe('Out of memory')
  expect(outcome.unexpectedFailure(new Error()).description).toBe('Please try again')
})

test('a full album ends an upload as a lost one does, and a lost one comes first', () => {
  const full = {
    filename: 'a.jpg',
    status: 'refused' as const,
    message: 'The album is full',
    reason: 'album_full',
  }
  const files = [...failed(1), full]
  expect(upload({ files }).stopped).toEqual({ reason: 'full', message: 'The album is full.' })
  expect(upload({ files, stopped: GONE }).stopped).toBe(GONE)
  expect(upload({ files: failed(2) }).stopped).toBeUndefined()
})

test('what this browser has uploaded before is explained in whole sentences', () => {
  expect(texts.partlyUploadedBefore(1234, 5000)).toBe(
    '1,234 of 5,000 photos are already uploaded; sending the other 3,766',
  )
  expect(texts.partlyUploadedBefore(1, 3)).toBe('1 of 3 photos is already uploaded; sending the other 2')
  expect(texts.uploadedBefore(5000)).toBe('All 5,000 photos are already in the album')
  expect(texts.uploadedBefore(1)).toBe('This photo is already in the album')
})
