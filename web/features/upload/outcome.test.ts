import { expect, test } from 'vitest'
import { upload as texts } from '../../../src/texts/english/upload.ts'
import * as outcome from './outcome.ts'
import { UploadStopped } from './patience.ts'
import type { UploadResult } from './transfer.ts'

function upload(result: Partial<UploadResult>, known = 0): outcome.EndedUpload {
  const nothing: UploadResult = {
    successful: 0,
    failed: 0,
    retriedBatches: 0,
    maybeNew: 0,
    files: [],
    unsent: [],
    unreadable: [],
  }
  return outcome.endOf({ ...nothing, ...result }, known)
}

const NEW = { filename: 'a.jpg', status: 'stored' as const }
const THERE = { filename: 'a.jpg', status: 'duplicate' as const }

const GONE = new UploadStopped('This album no longer exists.', 'gone')

test.each([
  [
    'success',
    'Upload completed!',
    '40 photos uploaded successfully, 0 failed',
    upload({ successful: 40, files: [NEW] }),
  ],
  [
    'error',
    'Upload completed!',
    '40,000 photos uploaded successfully (including 1,200 retried batches), 5,000 failed',
    upload({ successful: 40_000, failed: 5_000, retriedBatches: 1_200, files: [NEW] }),
  ],
  [
    'error',
    'Upload failed',
    'No photos were uploaded successfully. Please try again.',
    upload({ failed: 3 }),
  ],
  // One that was stopped is a success when a photo was uploaded.
  [
    'error',
    'Upload completed!',
    '15 photos uploaded successfully, 30 failed',
    upload({ successful: 15, failed: 30, files: [NEW], stopped: GONE }),
  ],
  ['error', 'Upload Failed', 'This album no longer exists.', upload({ failed: 5, stopped: GONE }, 15)],
  ['success', 'Already in the album', '1,200 photos are already in the album', upload({}, 1_200)],
  [
    'error',
    'Already in the album',
    '1 photo is already in the album, 2 failed',
    upload({ successful: 1, failed: 2, files: [THERE] }),
  ],
  // The first attempt of a retried batch may have brought its photos. The specification has no singular for batches.
  [
    'success',
    'Upload completed!',
    '1 photo uploaded successfully (including 1 retried batches), 0 failed',
    upload({ successful: 1, retriedBatches: 1, maybeNew: 1, files: [THERE] }),
  ],
])('the end of an upload is announced as %s: %s %s', (tone, title, description, end) => {
  expect(outcome.endToast(end)).toEqual({ title, description, tone })
})

test('failures and retries are announced in the words of the specification', () => {
  expect(outcome.toastOf({ type: 'batch failed', number: 2, message: 'The storage is down' })).toMatchObject({
    title: 'Batch 2 failed',
    description: 'Error: The storage is down. Will retry after other batches complete.',
  })
  expect(outcome.toastOf({ type: 'retrying' })).toMatchObject({ title: 'Retrying failed batches' })
  expect(outcome.toastOf({ type: 'retried', number: 2, photos: 15 })).toMatchObject({
    title: 'Batch 2 retry successful!',
    description: '15 photos uploaded on retry',
  })
  expect(outcome.toastOf({ type: 'retry failed', number: 2, photos: 15 })).toMatchObject({
    title: 'Batch 2 retry failed',
    description: '15 photos still failed after retry',
  })
  expect(outcome.unexpectedFailure(new Error('Out of memory')).description).toBe('Out of memory')
  expect(outcome.unexpectedFailure(new Error()).description).toBe('Please try again')
})

test('the error card gives the reason of the refused files, and asks to try again only when that may help', () => {
  const full = { filename: 'a.jpg', status: 'refused' as const, message: 'The album is full' }
  const damaged = { filename: 'b.jpg', status: 'refused' as const, message: 'The photo is damaged' }
  expect(outcome.whyFailed(upload({ files: [full, full] }))).toBe('The album is full.')
  expect(outcome.whyFailed(upload({ files: [full, damaged] }))).toBe('None of these files could be used.')
  const unsent = [new File([], 'b.jpg')]
  expect(outcome.whyFailed(upload({ files: [full, damaged], unsent }))).toBe(texts.tryAgain)
  const stopped = new UploadStopped('This album no longer exists.', 'gone')
  expect(outcome.whyFailed(upload({ unsent, stopped }))).toBe('This album no longer exists.')
})

test('what this browser has uploaded before is explained in whole sentences', () => {
  expect(texts.partlyUploadedBefore(1234, 5000)).toBe(
    '1,234 of 5,000 photos are already uploaded; sending the other 3,766',
  )
  expect(texts.partlyUploadedBefore(1, 3)).toBe('1 of 3 photos is already uploaded; sending the other 2')
  expect(texts.uploadedBefore(5000)).toBe('All 5,000 photos are already in the album')
  expect(texts.uploadedBefore(1)).toBe('This photo is already in the album')
})
