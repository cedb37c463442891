import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { UploadOutput } from '../../../src/contract/photos.ts'
import { type BatchRequest, type EngineEvents, type UploadResult, uploadInBatches } from './engine.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

const PHOTO_BYTES = 10

function photos(count: number): File[] {
  return Array.from({ length: count }, (_, index) => new File(['x'.repeat(PHOTO_BYTES)], `${index + 1}.jpg`))
}

function allStored({ photos }: BatchRequest): UploadOutput {
  return {
    successful: photos.length,
    failed: 0,
    files: photos.map(({ name }) => ({ filename: name, status: 'stored' })),
  }
}

type Answer = (
  request: BatchRequest,
  attempt: number,
  options: { signal: AbortSignal; onSent: (bytes: number) => void },
) => UploadOutput | Promise<UploadOutput>

/** A request that never ends by itself, only with its signal. */
function endless(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

/** Uploads against a service that answers at once, under the controlled clock. Requests and events are kept
 *  with the millisecond they happened at. */
function upload(count: number, answer: Answer = allStored) {
  const requests: { at: number; request: BatchRequest }[] = []
  const told: [at: number, ...event: unknown[]][] = []
  const progress: unknown[] = []
  const stop = new AbortController()
  const events: EngineEvents = {
    onBatchFailed: (...event) => told.push([Date.now(), 'failed', ...event]),
    onRetryStarted: () => told.push([Date.now(), 'retrying']),
    onBatchRetried: (...event) => told.push([Date.now(), 'retried', ...event]),
    onBatchRetryFailed: (...event) => told.push([Date.now(), 'retry failed', ...event]),
    onProgress: ({ photosDone, bytesSent }) => progress.push([photosDone, bytesSent]),
  }
  const result: Promise<UploadResult> = uploadInBatches(
    photos(count),
    async (request, options) => {
      requests.push({ at: Date.now(), request })
      return answer(request, requests.length, options)
    },
    events,
    stop.signal,
  )
  return { result, requests, told, progress, stop }
}

test('photos go in batches of 15, one after another, 500 ms apart', async () => {
  const { result, requests } = upload(37)
  await vi.runAllTimersAsync()

  expect(requests.map(({ at, request }) => [at, request.photos.length])).toEqual([
    [0, 15],
    [500, 15],
    [1000, 7],
  ])
  expect(requests.map(({ request }) => request.fields)).toEqual([
    { totalIntendedPhotos: 37, batchNumber: 1, totalBatches: 3 },
    { totalIntendedPhotos: 37, batchNumber: 2, totalBatches: 3 },
    { totalIntendedPhotos: 37, batchNumber: 3, totalBatches: 3 },
  ])
  expect(requests.flatMap(({ request }) => request.photos.map((photo) => photo.name))).toEqual(
    photos(37).map((photo) => photo.name),
  )
  expect(await result).toMatchObject({ successful: 37, failed: 0, retriedBatches: 0, unsent: [] })
})

test('the next batch waits for the answer to the one before', async () => {
  let answerFirst: (() => void) | undefined
  const { result, requests } = upload(30, async (request, attempt) => {
    if (attempt === 1) await new Promise<void>((resolve) => (answerFirst = resolve))
    return allStored(request)
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requests).toHaveLength(1)

  answerFirst?.()
  await vi.runAllTimersAsync()
  expect(requests.map(({ at }) => at)).toEqual([0, 60_500])
  expect((await result).successful).toBe(30)
})

test('a failed batch is retried once, two seconds after all others, without fields', async () => {
  const { result, requests, told } = upload(37, (request, attempt) => {
    if (attempt === 1) throw new Error('The storage is down')
    return allStored(request)
  })
  await vi.runAllTimersAsync()

  expect(requests.map(({ at }) => at)).toEqual([0, 500, 1000, 3000])
  expect(requests[3]?.request).toEqual({ photos: requests[0]?.request.photos })
  expect(told).toEqual([
    [0, 'failed', 1, 'The storage is down'],
    [1000, 'retrying'],
    [3000, 'retried', 1, 15],
  ])
  expect(await result).toMatchObject({ successful: 37, failed: 0, retriedBatches: 1, unsent: [] })
})

test('a batch that fails twice is given up, its photos counted as failed and kept for another try', async () => {
  const { result, requests, told } = upload(20, (request) => {
    if (request.photos.length === 5) throw new Error('The connection was lost')
    return allStored(request)
  })
  await vi.runAllTimersAsync()

  expect(requests).toHaveLength(3)
  expect(told.at(-1)).toEqual([2500, 'retry failed', 2, 5])
  const { successful, failed, retriedBatches, unsent, files } = await result
  expect({ successful, failed, retriedBatches }).toEqual({ successful: 15, failed: 5, retriedBatches: 0 })
  expect(unsent.map((photo) => photo.name)).toEqual(['16.jpg', '17.jpg', '18.jpg', '19.jpg', '20.jpg'])
  expect(files.at(-1)).toEqual({ filename: '20.jpg', status: 'refused', message: 'The connection was lost' })
})

test('photos refused one by one count as failed, and their batch is not sent again', async () => {
  const { result, requests, told } = upload(2, ({ photos }) => ({
    successful: 1,
    failed: 1,
    files: [
      { filename: photos[0]!.name, status: 'refused', message: 'The file is damaged' },
      { filename: photos[1]!.name, status: 'duplicate' },
    ],
  }))
  await vi.runAllTimersAsync()

  expect(requests).toHaveLength(1)
  expect(told).toEqual([])
  expect(await result).toMatchObject({ successful: 1, failed: 1, unsent: [] })
})

test('a batch without an answer is stopped after 120 s; its retry may take longer', async () => {
  const { result, told } = upload(1, async (request, attempt, { signal }) => {
    if (attempt === 2) {
      const slow = new Promise((resolve) => setTimeout(resolve, 300_000))
      await Promise.race([slow, endless(signal)])
      return allStored(request)
    }
    return endless(signal)
  })
  await vi.runAllTimersAsync()

  expect(told).toEqual([
    [120_000, 'failed', 1, 'No answer within 120 seconds'],
    [120_000, 'retrying'],
    [422_000, 'retried', 1, 1],
  ])
  expect((await result).successful).toBe(1)
})

test('progress tells photos answered for and bytes sent, and takes back what a failed batch had sent', async () => {
  const { result, progress } = upload(16, (request, attempt, { onSent }) => {
    onSent(5 * PHOTO_BYTES)
    if (attempt === 1) throw new Error('The connection was lost')
    onSent(request.photos.length * PHOTO_BYTES + 400)
    return allStored(request)
  })
  await vi.runAllTimersAsync()
  await result

  expect(progress).toEqual([
    [0, 0],
    [0, 50],
    [0, 0],
    [0, 10],
    [0, 10],
    [1, 10],
    [1, 60],
    [1, 160],
    [16, 160],
  ])
})

test('leaving between two batches stops the upload there', async () => {
  const { result, requests, told, stop } = upload(45)
  const ended = expect(result).rejects.toThrow('left')
  await vi.advanceTimersByTimeAsync(600)
  stop.abort(new Error('left'))
  await ended
  await vi.runAllTimersAsync()

  expect(requests).toHaveLength(2)
  expect(told).toEqual([])
})

test('leaving in the middle of a request stops it, which is no failure of its batch', async () => {
  const { result, requests, told, stop } = upload(30, (_request, _attempt, { signal }) => endless(signal))
  const ended = expect(result).rejects.toThrow('left')
  await vi.advanceTimersByTimeAsync(600)
  stop.abort(new Error('left'))
  await ended
  await vi.runAllTimersAsync()

  expect(requests).toHaveLength(1)
  expect(told).toEqual([])
})
