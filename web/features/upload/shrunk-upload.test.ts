import { expect, test, vi } from 'vitest'
import { RequestFailure } from '../../lib/failure.ts'
import {
  allStored,
  endless,
  PHOTO_BYTES,
  photos,
  upload,
  uploaded,
  withFakeTimers,
} from '../../testing/controlled-upload.ts'
import type { Prepare } from './prepare-photos.ts'
import { NotShrunk } from './shrink-photos.ts'
import { progressOf, startOf } from './upload-state.ts'

withFakeTimers()

const DAMAGED = 'The browser could not open this photo.'

/** Prepares photos in this time, ms each. The damaged ones cannot be made smaller. */
function preparing(ms: number, damaged: string[] = []) {
  const asked: string[][] = []
  const prepare: Prepare = async (batch, next) => {
    asked.push([batch, next].map((photos) => `${photos[0]?.name ?? 'none'} + ${photos.length}`))
    await new Promise((resolve) => setTimeout(resolve, ms * batch.length))
    return batch.map(({ name }) =>
      damaged.includes(name) ? new NotShrunk(DAMAGED) : new File(['small'], `small ${name}`),
    )
  }
  return { prepare, asked }
}

const everythingThere = () => true

test('the prepared files are sent, and the originals are noted as stored', async () => {
  const { prepare, asked } = preparing(0)
  const { result, requests, stored } = await uploaded(17, allStored, everythingThere, prepare)
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
  const { result, requests, eventLog } = await uploaded(3, allStored, everythingThere, prepare)
  expect(result.successful).toBe(3)
  expect(requests.map(({ at }) => at)).toEqual([180_000])
  expect(eventLog).toEqual([])
})

test('a photo that cannot be made smaller is named with its reason, and the rest of its batch is sent', async () => {
  const { prepare } = preparing(0, ['2.jpg'])
  const { result, requests, eventLog, progress } = await uploaded(3, allStored, everythingThere, prepare)
  const { successful, failed, files, unsent } = result
  expect({ successful, failed, unsent }).toEqual({ successful: 2, failed: 1, unsent: [] })
  expect(files[0]).toEqual({ filename: '2.jpg', status: 'refused', message: DAMAGED })
  expect(requests.map(({ request }) => request.photos.length)).toEqual([2])
  expect(eventLog).toEqual([[0, 'not shrunk', ['2.jpg', DAMAGED]]])
  expect(progress.slice(0, 2)).toEqual([
    [0, 0, 3 * PHOTO_BYTES],
    [1, 0, 2 * PHOTO_BYTES],
  ])
})

test('a photo that is gone from the disk is named as such, not as damaged', async () => {
  const { prepare } = preparing(0, ['2.jpg'])
  const { result, eventLog } = await uploaded(3, allStored, (name) => name !== '2.jpg', prepare)
  const { unreadable, files } = result
  expect(unreadable.map(({ name }) => name)).toEqual(['2.jpg'])
  expect(files[0]!.message).toMatch(/moved or changed/)
  expect(eventLog).toEqual([])
})

test('a batch whose photos cannot be made smaller is left out without a request', async () => {
  const { prepare } = preparing(0, ['1.jpg', '2.jpg'])
  const { result, requests } = await uploaded(2, allStored, everythingThere, prepare)
  expect(requests).toEqual([])
  expect(result).toMatchObject({ successful: 0, failed: 2 })
})

test('when photos cannot be prepared at all, the batch is tried again after the others', async () => {
  let calls = 0
  const prepare: Prepare = async (batch) => {
    if (++calls === 1) throw new RequestFailure('A part of this page did not load', 0)
    return [...batch]
  }
  const { result, eventLog } = await uploaded(2, allStored, everythingThere, prepare)
  expect(result).toMatchObject({ successful: 2, retriedBatches: 1 })
  expect(eventLog[0]).toEqual([0, 'failed', 1, 'A part of this page did not load'])
})

test('an upload that is stopped while photos are prepared sends nothing', async () => {
  const prepare: Prepare = () => endless(stop.signal)
  const { result, requests, stop } = upload(2, allStored, everythingThere, prepare)
  const ended = expect(result).rejects.toThrow('stopped')
  await vi.advanceTimersByTimeAsync(10)
  stop.abort(new Error('stopped'))
  await ended
  expect(requests).toEqual([])
})

test('a photo above the limit counts as 5 MB, the most that its copy can take', () => {
  const large = Object.defineProperty(photos(1)[0]!, 'size', { value: 12_000_000 })
  expect(progressOf(startOf([large])).bytesTotal).toBe(5_242_880)
})
