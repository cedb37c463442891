import { expect, test } from 'vitest'
import { photos } from '../../testing/controlled-upload.ts'
import { startOf, type Transfer } from './engine.ts'
import { endOf } from './outcome.ts'
import { NOTHING_CHOSEN, reduce, type UploadEvent, type UploadState } from './state.ts'

const CHOSEN = photos(20)
const START = startOf(CHOSEN)

const after = (events: readonly UploadEvent[], from: UploadState = NOTHING_CHOSEN) =>
  events.reduce(reduce, from)
const moved = (transfer: Transfer, at = 0): UploadEvent => ({ type: 'moved', transfer, at })
const begun = after([
  { type: 'chosen', photos: CHOSEN },
  { type: 'begun', photos: CHOSEN, missing: CHOSEN },
])

/** Batch 1 is answered. */
const HALF: Transfer = {
  ...START,
  bytesAnswered: 150,
  bytesShown: 150,
  open: START.open.slice(1),
  files: Array.from({ length: 15 }, () => ({ filename: 'a.jpg', status: 'stored' as const })),
}

test('from the choice to the end: what an upload shows, and what it leaves', () => {
  expect(begun).toMatchObject({ phase: 'uploading', photos: CHOSEN, transfer: START, preparing: null })
  const end = after([moved(HALF), { type: 'ended', ended: endOf(HALF, 0) }], begun)
  expect(end).toMatchObject({ phase: 'success', photos: CHOSEN, transfer: HALF, ended: { successful: 15 } })
})

test('an upload without a stored photo is an error, and another choice ends it', () => {
  const end = reduce(begun, { type: 'ended', ended: endOf(START, 0) })
  expect(end).toMatchObject({ phase: 'error', photos: CHOSEN })
  expect(reduce(end, { type: 'chosen', photos: CHOSEN })).toMatchObject({ phase: 'idle', photos: CHOSEN })
  expect(reduce(begun, { type: 'ended', ended: null })).toMatchObject({ phase: 'error', ended: null })
})

test('photos that the browser has read only after an upload began do not hide the upload', () => {
  expect(reduce(begun, { type: 'chosen', photos: photos(1) })).toBe(begun)
})

test('the time in which an upload waits does not count for its pace', () => {
  const sending = after([moved(START, 0), moved(HALF, 5_000)], begun)
  expect(sending).toMatchObject({ readings: { length: 2 } })
  const waiting = reduce(sending, moved({ ...HALF, waiting: { reason: 'offline' } }, 10_000))
  expect(waiting).toMatchObject({ readings: [], transfer: { waiting: { reason: 'offline' } } })
})

test('what arrives after the visitor has stopped the upload changes nothing', () => {
  const left = reduce(begun, { type: 'left' })
  expect(left).toEqual({ phase: 'idle', photos: CHOSEN, blocked: [] })
  expect(reduce(left, moved(HALF))).toBe(left)
  expect(reduce(left, { type: 'preparing', preparing: { number: 1, total: 2 } })).toBe(left)
})

test('a blocked file leaves the selection, also when it could not be sent, and comes back when it is uploaded', () => {
  const [first, second] = CHOSEN as [File, File]
  const files = [{ file: first, reason: 'It is damaged' }]
  const blocked = reduce(begun, { type: 'blocked', files })
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
  expect(reduce(chosen, { type: 'removed', photos: CHOSEN.slice(0, 1) }).photos).toEqual(CHOSEN.slice(1))
  expect(reduce(chosen, { type: 'removed', photos: CHOSEN })).toEqual(NOTHING_CHOSEN)
})

test('a photo above the limit counts as 5 MB, the most that its copy can take', () => {
  const large = Object.defineProperty(photos(1)[0]!, 'size', { value: 12_000_000 })
  expect(startOf([large]).bytesTotal).toBe(5_242_880)
})
