import { expect, test } from 'vitest'
import { photos } from '../../testing/controlled-upload.ts'
import { UploadStopped } from './patience.ts'
import {
  batchAnswered,
  NOT_SENT,
  openBatch,
  photosUnreadable,
  progressOf,
  startOf,
  uploadStopped,
} from './upload-state.ts'

const stored = (count: number) => ({
  successful: count,
  failed: 0,
  files: Array.from({ length: count }, () => ({ filename: 'a.jpg', status: 'stored' as const })),
})

test('in an upload that is stopped, every photo that was not sent has a reason, and the progress stays', () => {
  const start = startOf(photos(40))
  const half = batchAnswered(start, openBatch(start, 1)!, stored(15))
  const end = uploadStopped(half, new UploadStopped('The album is gone', 'gone'))
  expect(end.result).toMatchObject({ successful: 15, failed: 25, stopped: { message: 'The album is gone' } })
  expect(end.result.files).toHaveLength(40)
  expect(end.result.files.at(-1)).toEqual({ filename: '40.jpg', status: 'refused', message: NOT_SENT })
  expect(end.result.unsent).toHaveLength(25)
  expect(progressOf(end)).toEqual({ photosDone: 15, photosTotal: 40, bytesSent: 150, bytesTotal: 400 })
})

test('the rest of a batch with unreadable photos stays open', () => {
  const start = startOf(photos(3))
  const gone = start.open[0]!.photos.slice(0, 2)
  const next = photosUnreadable(start, start.open[0]!, gone)
  expect(openBatch(next, 1)!.photos.map(({ name }) => name)).toEqual(['3.jpg'])
  expect(next.result.unreadable).toEqual(gone)
  expect(progressOf(next)).toEqual({ photosDone: 2, photosTotal: 3, bytesSent: 0, bytesTotal: 10 })
})
