import { expect, test } from 'vitest'
import { photos } from '../../testing/controlled-upload.ts'
import { startOf, type Transfer } from './engine.ts'
import {
  endOf,
  milestone,
  NOTHING_CHOSEN,
  paceText,
  reduce,
  type UploadEvent,
  type Uploading,
  type UploadState,
} from './state.ts'

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
  bytesSent: 150,
  open: START.open.slice(1),
  files: Array.from({ length: 15 }, () => ({ filename: 'a.jpg', status: 'stored' as const })),
}

test('from the choice to the end: what an upload shows, and what it leaves', () => {
  expect(begun).toMatchObject({ phase: 'uploading', photos: CHOSEN, transfer: START, preparing: null })
  const end = after([moved(HALF), { type: 'ended', ended: endOf(HALF, 0) }], begun)
  expect(end).toMatchObject({ phase: 'success', photos: CHOSEN, ended: { successful: 15 } })
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

const MB = 1024 * 1024

/** What an upload of 100 MB says of its pace after these events. */
const paceAfter = (...sent: [megabytes: number, at: number, isWaiting?: boolean][]) =>
  paceText(
    after(
      sent.map(([megabytes, at, isWaiting = false]) =>
        moved(
          {
            ...START,
            bytesTotal: 100 * MB,
            bytesSent: megabytes * MB,
            waiting: isWaiting ? { seconds: 9 } : null,
          },
          at,
        ),
      ),
      begun,
    ) as Uploading,
  )

test('the pace of an upload is known after a few seconds, as a speed and the time left', () => {
  expect(paceAfter([0, 1_000], [2, 3_000])).toBeNull()
  expect(paceAfter([0, 1_000], [4, 5_000])).toBe('1.0 MB/s · about 2 minutes left')
})

test('the time in which an upload waits does not count for its pace', () => {
  expect(paceAfter([0, 0], [4, 4_000], [4, 5_000, true])).toBeNull()
  expect(paceAfter([0, 0], [4, 4_000], [4, 5_000, true], [4, 65_000], [12, 69_000])).toMatch(/^2\.0 MB/)
})

test('while nothing gets further, as after a failed batch, there is no pace', () => {
  expect(paceAfter([5, 0], [5, 4_000])).toBeNull()
})

test('a milestone comes after each tenth of the photos', () => {
  const file = { filename: 'a.jpg', status: 'stored' as const }
  const at = (done: number) => milestone({ ...START, photosTotal: 500, files: Array(done).fill(file) })
  expect(at(0)).toBe('Uploading')
  expect(at(49)).toBe('Uploading')
  expect(at(123)).toBe('20% of the photos uploaded')
  expect(at(500)).toBe('100% of the photos uploaded')
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
