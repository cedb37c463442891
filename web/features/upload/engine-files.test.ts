import { expect, test, vi } from 'vitest'
import { RequestFailure } from '../../lib/failure.ts'
import {
  allStored,
  endless,
  PHOTO_BYTES,
  upload,
  uploaded,
  withFakeTimers,
} from '../../testing/controlled-upload.ts'
import type { Prepare } from './files.ts'

withFakeTimers()

const DAMAGED = 'The browser could not open this photo.'

/** Prepares photos in this time, ms each. The damaged ones cannot be made smaller. */
function preparing(ms: number, damaged: string[] = []) {
  const asked: string[][] = []
  const prepare: Prepare = async (batch, next) => {
    asked.push([batch, next].map((photos) => `${photos[0]?.name ?? 'none'} + ${photos.length}`))
    await new Promise((resolve) => setTimeout(resolve, ms * batch.length))
    return batch.map(({ name }) => (damaged.includes(name) ? DAMAGED : new File(['small'], `small ${name}`)))
  }
  return { prepare, asked }
}

test('the prepared files are sent, and the originals are noted as stored', async () => {
  const { prepare, asked } = preparing(0)
  const { result, requests, stored } = await uploaded(17, allStored, prepare)
  expect(result.successful).toBe(17)
  expect(requests[1]!.request.photos.map(({ name }) => name)).toEqual(['small 16.jpg', 'small 17.jpg'])
  expect(stored.slice(-2)).toEqual(['16.jpg', '17.jpg'])
  expect(asked).toEqual([
    ['1.jpg + 15', '16.jpg + 2'],
    ['16.jpg + 2', 'none + 0'],
  ])
})

test('the two minutes of a batch begin when its photos are ready', async () => {
  const { prepare } = preparing(60_000)
  const { result, requests, eventLog } = await uploaded(3, allStored, prepare)
  expect(result.successful).toBe(3)
  expect(requests.map(({ at }) => at)).toEqual([180_000])
  expect(eventLog).toEqual([])
})

test('a photo that cannot be read or made smaller is named with its reason, and the rest of its batch is sent', async () => {
  const { prepare } = preparing(0, ['2.jpg'])
  const { result, requests, eventLog, progress } = await uploaded(3, allStored, prepare)
  expect(result).toMatchObject({ successful: 2 })
  expect(result.notStored).toEqual([{ filename: '2.jpg', message: DAMAGED }])
  expect(requests.map(({ request }) => request.photos.length)).toEqual([2])
  expect(eventLog).toEqual([])
  expect(progress).toEqual([
    [1, 0, 2 * PHOTO_BYTES],
    [3, 2 * PHOTO_BYTES, 2 * PHOTO_BYTES],
  ])
})

test('a batch without a photo that can be sent is left out without a request', async () => {
  const { prepare } = preparing(0, ['1.jpg', '2.jpg'])
  const { result, requests } = await uploaded(2, allStored, prepare)
  expect(requests).toEqual([])
  expect(result).toMatchObject({ successful: 0, notStored: { length: 2 } })
})

test('when photos cannot be prepared at all, the batch is tried again after the others', async () => {
  let calls = 0
  const prepare: Prepare = async (batch) => {
    if (++calls === 1) throw new RequestFailure('A part of this page did not load', 0)
    return [...batch]
  }
  const { result, eventLog } = await uploaded(2, allStored, prepare)
  expect(result).toMatchObject({ successful: 2, retriedBatches: 1 })
  expect(eventLog[0]).toEqual([
    0,
    'Batch 1 failed',
    expect.stringContaining('A part of this page did not load'),
  ])
})

test('an upload that is stopped while photos are prepared sends nothing', async () => {
  const prepare: Prepare = () => endless(stop.signal)
  const { result, requests, stop } = upload(2, allStored, prepare)
  const ended = expect(result).rejects.toThrow('stopped')
  await vi.advanceTimersByTimeAsync(10)
  stop.abort(new Error('stopped'))
  await ended
  expect(requests).toEqual([])
})

test('photos that become unreadable before the retry count as failed', async () => {
  const damaged: string[] = []
  const { prepare } = preparing(0, damaged)
  const { result, requests, eventLog } = await uploaded(
    16,
    (request, attempt) => {
      if (attempt === 2) damaged.push('3.jpg', '16.jpg')
      if (attempt < 3) throw new Error('The storage is down')
      return allStored(request)
    },
    prepare,
  )
  expect(requests.map(({ request }) => request.photos.length)).toEqual([15, 1, 14])
  expect(eventLog.slice(3)).toEqual([[2500, 'Batch 1 retry successful!', '14 photos uploaded on retry']])
  expect(result).toMatchObject({
    successful: 14,
    notStored: { length: 2 },
    retriedBatches: 1,
  })
})

test('an upload that is stopped counts each photo once', async () => {
  const { prepare } = preparing(0, ['1.jpg'])
  const { result } = await uploaded(
    3,
    () => {
      throw new RequestFailure('Gone', 404)
    },
    prepare,
  )
  expect(result).toMatchObject({ notStored: { length: 3 }, stopped: { reason: 'lost' } })
})
