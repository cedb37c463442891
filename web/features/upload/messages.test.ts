import { expect, test } from 'vitest'
import * as messages from './messages.ts'
import type { UploadResult } from './upload-state.ts'

function result(counts: Partial<UploadResult>): UploadResult {
  return { successful: 0, failed: 0, retriedBatches: 0, files: [], unsent: [], unreadable: [], ...counts }
}

test('the end of an upload is told with its counts, as an error when not all succeeded', () => {
  expect(messages.completed(result({ successful: 40 }))).toEqual({
    title: 'Upload completed!',
    description: '40 photos uploaded successfully, 0 failed',
    tone: 'success',
  })
  expect(messages.completed(result({ successful: 40, failed: 5, retriedBatches: 2 }))).toEqual({
    title: 'Upload completed!',
    description: '40 photos uploaded successfully (including 2 retried batches), 5 failed',
    tone: 'error',
  })
  expect(messages.completed(result({ failed: 3 }))).toEqual({
    title: 'Upload failed',
    description: 'No photos were uploaded successfully. Please try again.',
    tone: 'error',
  })
})

test('failures and retries are told in the words of the specification', () => {
  expect(messages.batchFailed(2, 'The storage is down')).toMatchObject({
    title: 'Batch 2 failed',
    description: 'Error: The storage is down. Will retry after other batches complete.',
  })
  expect(messages.batchRetried(2, 15)).toMatchObject({
    title: 'Batch 2 retry successful!',
    description: '15 photos uploaded on retry',
  })
  expect(messages.batchRetryFailed(2, 15)).toMatchObject({
    title: 'Batch 2 retry failed',
    description: '15 photos still failed after retry',
  })
  expect(messages.unexpectedFailure(new Error('Out of memory')).description).toBe('Out of memory')
  expect(messages.unexpectedFailure(new Error()).description).toBe('Please try again')
})

test('waiting and resuming are told in whole sentences', () => {
  expect(messages.waitingText({ reason: 'offline' })).toBe(
    'You are offline. The upload goes on by itself when the connection is back.',
  )
  expect(messages.waitingText({ reason: 'busy', seconds: 1 })).toBe(
    'The service asks to wait. The upload goes on by itself after 1 second.',
  )
  expect(messages.waitingText({ reason: 'busy', seconds: 600 })).toMatch(/after 10 minutes\.$/)
  expect(messages.alreadyUploaded(1234, 5000)).toBe(
    '1,234 of 5,000 photos are already uploaded; sending the other 3,766',
  )
  expect(messages.alreadyUploaded(1, 3)).toBe('1 of 3 photos is already uploaded; sending the other 2')
  expect(messages.alreadyUploaded(5000, 5000)).toBe('All 5,000 photos are already uploaded.')
  expect(messages.alreadyUploaded(1, 1)).toBe('This photo is already uploaded.')
})
