import { expect, test } from 'vitest'
import { photos } from '../../testing/controlled-upload.ts'
import { endOf } from './outcome.ts'
import { UploadStopped } from './patience.ts'
import { NOTHING_CHOSEN, reduce, type UploadEvent, type UploadState } from './state.ts'
import * as step from './transfer.ts'

const CHOSEN = photos(20)
const START = step.startOf(CHOSEN)

const after = (events: readonly UploadEvent[], from: UploadState = NOTHING_CHOSEN) =>
  events.reduce(reduce, from)
const moved = (transfer: step.Transfer, at = 0): UploadEvent => ({ type: 'moved', transfer, at })
const begun = after([
  { type: 'chosen', photos: CHOSEN },
  { type: 'begun', photos: CHOSEN, missing: CHOSEN },
])

/** Batch 1 is answered. */
const HALF = step.answered(
  START,
  START.open[0]!,
  {
    successful: 15,
    failed: 0,
    files: Array.from({ length: 15 }, () => ({ filename: 'a.jpg', status: 'stored' as const })),
  },
  false,
)

test('from the choice to the end: what an upload shows, and what it leaves', () => {
  expect(begun).toMatchObject({ phase: 'uploading', photos: CHOSEN, transfer: START, preparing: null })
  expect(HALF).toMatchObject({ bytesAnswered: 150, bytesTotal: 200, bytesShown: 150 })
  expect(step.photosDone(HALF)).toBe(15)
  const lost = step.reasonFor(CHOSEN.slice(15), 'The connection was lost')
  const { result } = step.leftOut(HALF, 2, lost, 'unsent')
  const end = after([moved(HALF), { type: 'ended', ended: endOf(result, 0) }], begun)
  expect(end).toMatchObject({
    phase: 'success',
    photos: CHOSEN,
    transfer: HALF,
    ended: { result: { successful: 15, failed: 5 } },
  })
})

test('an upload without a stored photo is an error, and photos that can no longer be read are not tried again', () => {
  const gone = CHOSEN.slice(0, 2)
  const { result } = step.leftOut(START, 1, step.reasonFor(gone, 'It is gone'), 'unsent', 'unreadable')
  const end = reduce(begun, { type: 'ended', ended: endOf(result, 0) })
  expect(end).toMatchObject({ phase: 'error', photos: CHOSEN.slice(2) })
  expect(reduce(end, { type: 'chosen', photos: gone })).toMatchObject({
    phase: 'idle',
    photos: { length: 20 },
  })
  expect(reduce(begun, { type: 'broken off' })).toMatchObject({ phase: 'error', ended: null, photos: CHOSEN })
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

test('when a batch fails, what is shown as sent does not move back', () => {
  const failed = step.sent(step.sent(START, 140), 0)
  expect(failed).toMatchObject({ bytesInFlight: 0, bytesShown: 140 })
  expect(step.sent(failed, 30).bytesShown).toBe(140)
})

test('what arrives after the visitor has stopped the upload changes nothing', () => {
  const left = reduce(begun, { type: 'left' })
  expect(left).toEqual({ phase: 'idle', photos: CHOSEN, blocked: [] })
  expect(reduce(left, moved(HALF))).toBe(left)
  expect(reduce(left, { type: 'preparing', preparing: { number: 1, total: 2 } })).toBe(left)
})

test('a blocked file leaves the selection, also when it could not be made smaller, and comes back when it is uploaded', () => {
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
  expect(reduce(chosen, { type: 'removed', photo: CHOSEN[0]! }).photos).toEqual(CHOSEN.slice(1))
  expect(reduce(chosen, { type: 'cleared' })).toEqual(NOTHING_CHOSEN)
})

test('in an upload that is stopped, every photo that was not sent has a reason, and the progress stays', () => {
  const { result, open } = step.stoppedBy(HALF, new UploadStopped('The album is gone', 'gone'))
  expect(result).toMatchObject({ successful: 15, failed: 5, stopped: { message: 'The album is gone' } })
  expect(result.files).toHaveLength(20)
  expect(result.files.at(-1)).toEqual({
    filename: '20.jpg',
    status: 'refused',
    message: 'It was not sent, because the upload ended early.',
  })
  expect(result.unsent).toHaveLength(5)
  expect(open).toBe(HALF.open)
})

test('a photo above the limit counts as 5 MB, the most that its copy can take', () => {
  const large = Object.defineProperty(photos(1)[0]!, 'size', { value: 12_000_000 })
  expect(step.startOf([large]).bytesTotal).toBe(5_242_880)
})
