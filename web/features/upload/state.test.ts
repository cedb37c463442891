import { expect, test } from 'vitest'
import { photos } from '../../testing/controlled-upload.ts'
import { UploadStopped } from './patience.ts'
import { NOTHING_CHOSEN, reduce, type UploadEvent, type UploadState } from './state.ts'
import { advance, openBatch, progressOf, startOf, type TransferEvent } from './transfer.ts'

const CHOSEN = photos(20)

const after = (events: readonly UploadEvent[], from: UploadState = NOTHING_CHOSEN) =>
  events.reduce(reduce, from)
const transfer = (event: TransferEvent, at = 0): UploadEvent => ({ type: 'transfer', event, at })
const begun = after([
  { type: 'chosen', photos: CHOSEN },
  { type: 'begun', photos: CHOSEN, missing: CHOSEN },
])

function transferOf(state: UploadState) {
  if (state.phase !== 'uploading' && state.phase !== 'success') throw new Error(`It is ${state.phase}`)
  return state.transfer
}

/** Batch 1 is answered. */
const firstStored: TransferEvent = {
  type: 'answered',
  batch: openBatch(startOf(CHOSEN), 1)!,
  answer: {
    successful: 15,
    failed: 0,
    files: Array.from({ length: 15 }, () => ({ filename: 'a.jpg', status: 'stored' as const })),
  },
  mayBeRepeated: false,
}

test('from the choice to the end: what an upload shows, and what it leaves', () => {
  expect(begun).toMatchObject({ phase: 'uploading', photos: CHOSEN, waiting: null, preparing: null })
  const half = after([transfer({ type: 'sent', bytes: 40 }), transfer(firstStored)], begun)
  expect(progressOf(transferOf(half))).toEqual({
    photosDone: 15,
    photosTotal: 20,
    bytesSent: 150,
    bytesTotal: 200,
  })
  const { result } = advance(transferOf(half), {
    type: 'retry failed',
    number: 2,
    photos: 5,
    reason: 'The connection was lost',
  })
  const end = reduce(half, { type: 'ended', ended: { result, known: 0 } })
  expect(end).toMatchObject({
    phase: 'success',
    photos: CHOSEN,
    ended: { result: { successful: 15, failed: 5 } },
  })
})

test('an upload without a stored photo is an error, and photos that can no longer be read are not tried again', () => {
  const gone = CHOSEN.slice(0, 2)
  const { result } = advance(transferOf(begun), {
    type: 'unreadable',
    batch: openBatch(startOf(CHOSEN), 1)!,
    photos: gone,
  })
  const end = reduce(begun, { type: 'ended', ended: { result, known: 0 } })
  expect(end).toMatchObject({ phase: 'error', photos: CHOSEN.slice(2) })
  expect(reduce(end, { type: 'chosen', photos: gone })).toMatchObject({
    phase: 'idle',
    photos: { length: 20 },
  })
  expect(reduce(begun, { type: 'broken off' })).toMatchObject({ phase: 'error', ended: null, photos: CHOSEN })
})

test('an upload that waits says why, until it goes on', () => {
  const waiting = { reason: 'offline' } as const
  const lost = after([transfer({ type: 'sent', bytes: 40 }), transfer({ type: 'waiting', waiting })], begun)
  expect(lost).toMatchObject({ waiting })
  expect(progressOf(transferOf(lost)).bytesSent).toBe(0)
  expect(reduce(lost, transfer({ type: 'waiting', waiting: null }))).toMatchObject({ waiting: null })
})

test('what arrives after the visitor has stopped the upload changes nothing', () => {
  const left = reduce(begun, { type: 'left' })
  expect(left).toEqual({ phase: 'idle', photos: CHOSEN, blocked: [] })
  expect(reduce(left, transfer(firstStored))).toBe(left)
})

test('a blocked file leaves the selection, also when it could not be made smaller, and comes back when it is uploaded', () => {
  const [first, second] = CHOSEN as [File, File]
  const batch = openBatch(startOf(CHOSEN), 1)!
  const blocked = reduce(
    begun,
    transfer({ type: 'not shrunk', batch, failures: new Map([[first, 'It is damaged']]) }),
  )
  expect(blocked).toMatchObject({ phase: 'uploading', blocked: [{ file: first, reason: 'It is damaged' }] })
  expect(blocked.photos).toEqual(CHOSEN.slice(1))
  const more = after(
    [{ type: 'left' }, { type: 'blocked', files: [{ file: second, reason: 'Too large' }] }],
    blocked,
  )
  expect(more.blocked).toHaveLength(2)
  const again = reduce(more, { type: 'begun', photos: [...more.photos, second], missing: [second] })
  expect(again.blocked).toEqual([{ file: first, reason: 'It is damaged' }])
  expect(reduce(more, { type: 'blocked dismissed' }).blocked).toEqual([])
})

test('photos are removed one by one, or all', () => {
  const chosen = after([{ type: 'chosen', photos: CHOSEN }])
  expect(reduce(chosen, { type: 'removed', photo: CHOSEN[0]! }).photos).toEqual(CHOSEN.slice(1))
  expect(reduce(chosen, { type: 'cleared' })).toEqual(NOTHING_CHOSEN)
})

test('in an upload that is stopped, every photo that was not sent has a reason, and the progress stays', () => {
  const half = advance(startOf(CHOSEN), firstStored)
  const stopped = new UploadStopped('The album is gone', 'gone')
  const end = advance(half, { type: 'stopped', stopped })
  expect(end.result).toMatchObject({ successful: 15, failed: 5, stopped: { message: 'The album is gone' } })
  expect(end.result.files).toHaveLength(20)
  expect(end.result.files.at(-1)).toEqual({
    filename: '20.jpg',
    status: 'refused',
    message: 'It was not sent, because the upload ended early.',
  })
  expect(end.result.unsent).toHaveLength(5)
  expect(progressOf(end)).toEqual(progressOf(half))
})

test('the rest of a batch with unreadable photos stays open', () => {
  const start = startOf(photos(3))
  const gone = start.open[0]!.photos.slice(0, 2)
  const next = advance(start, { type: 'unreadable', batch: start.open[0]!, photos: gone })
  expect(openBatch(next, 1)!.photos.map(({ name }) => name)).toEqual(['3.jpg'])
  expect(next.result.unreadable).toEqual(gone)
  expect(progressOf(next)).toEqual({ photosDone: 2, photosTotal: 3, bytesSent: 0, bytesTotal: 10 })
})

test('a photo above the limit counts as 5 MB, the most that its copy can take', () => {
  const large = Object.defineProperty(photos(1)[0]!, 'size', { value: 12_000_000 })
  expect(progressOf(startOf([large])).bytesTotal).toBe(5_242_880)
})
