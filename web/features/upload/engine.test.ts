import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RequestFailure } from '../../lib/failure.ts'
import { allStored, endless, NO_ANSWER, PHOTO_BYTES, photos, upload } from './controlled-upload.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

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

  expect(progress).toEqual(
    [
      [0, 0],
      [0, 50],
      [0, 0],
      [0, 10],
      [0, 10],
      [1, 10],
      [1, 60],
      [1, 160],
      [16, 160],
    ].map((sums) => [...sums, 160]),
  )
})

test('a batch lost with the network is sent again when it is back, which is no failure of it', async () => {
  const upload45 = upload(45, (request, attempt) => {
    if (attempt === 2 || attempt === 3) throw NO_ANSWER()
    return allStored(request)
  })
  const { result, requests, told, connection } = upload45
  await vi.advanceTimersByTimeAsync(100)
  connection.lose()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requests).toHaveLength(2)
  expect(told).toEqual([[500, 'waiting', { reason: 'offline' }]])

  connection.restore()
  await vi.runAllTimersAsync()
  expect(told.slice(1)).toEqual([
    [60_100, 'waiting', null],
    // The third attempt failed while the browser was online: that one counts.
    [60_100, 'failed', 2, 'The connection was lost'],
    [60_600, 'retrying'],
    [62_600, 'retried', 2, 15],
  ])
  expect(requests[2]!.request).toEqual(requests[1]!.request)
  expect(await result).toMatchObject({ successful: 45, failed: 0, retriedBatches: 1, unsent: [] })
})

test('a batch whose connection hung while the browser was offline is sent again, also when it is back by then', async () => {
  const { result, told, connection } = upload(1, (request, attempt, { signal }) =>
    attempt === 1 ? endless(signal) : allStored(request),
  )
  await vi.advanceTimersByTimeAsync(5_000)
  connection.lose()
  connection.restore()
  await vi.advanceTimersByTimeAsync(120_000)
  connection.restore()
  await vi.runAllTimersAsync()
  expect(told).toEqual([
    [120_000, 'waiting', { reason: 'offline' }],
    [125_000, 'waiting', null],
  ])
  expect(await result).toMatchObject({ successful: 1, retriedBatches: 0 })
})

test('a server that is reached in spite of the browser being offline is simply used', async () => {
  const { result, told, connection } = upload(30)
  connection.lose()
  await vi.runAllTimersAsync()
  expect(told).toEqual([])
  expect(await result).toMatchObject({ successful: 30 })
})

test('a service that asks to wait is given the time it asks for, also by a retry', async () => {
  const tooMany = (seconds: number | null) =>
    new RequestFailure('Slow down', 429, { retryAfterSeconds: seconds })
  const { result, requests, told } = upload(16, (request, attempt) => {
    if (attempt === 1) throw tooMany(30)
    if (attempt === 2) throw tooMany(null)
    if (attempt === 4) throw new Error('The storage is down')
    if (attempt === 5) throw tooMany(7)
    return allStored(request)
  })
  await vi.runAllTimersAsync()
  expect(requests.map(({ at }) => at)).toEqual([0, 30_000, 40_000, 40_500, 42_500, 49_500])
  expect(told).toEqual([
    [0, 'waiting', { reason: 'busy', seconds: 30 }],
    [30_000, 'waiting', null],
    [30_000, 'waiting', { reason: 'busy', seconds: 10 }],
    [40_000, 'waiting', null],
    [40_500, 'failed', 2, 'The storage is down'],
    [40_500, 'retrying'],
    [42_500, 'waiting', { reason: 'busy', seconds: 7 }],
    [49_500, 'waiting', null],
    [49_500, 'retried', 2, 1],
  ])
  expect(await result).toMatchObject({ successful: 16, failed: 0, retriedBatches: 1 })
})

test.each([
  [404, null, true, /^This album is no longer there/],
  [401, null, true, /^This browser may no longer add photos/],
  [429, 3600, false, /asks to come back in 60 minutes/],
])(
  'an answer of %i (Retry-After %s) ends the upload there and keeps what was done',
  async (status, retryAfterSeconds, albumLost, message) => {
    const { result, requests, told, stored } = upload(45, (request, attempt) => {
      if (attempt === 2) throw new RequestFailure('No', status, { retryAfterSeconds })
      return allStored(request)
    })
    await vi.runAllTimersAsync()
    expect(requests).toHaveLength(2)
    expect(told).toEqual([])
    expect(stored).toHaveLength(15)
    const { successful, failed, unsent, stopped } = await result
    expect({ successful, failed, unsent: unsent.length }).toEqual({ successful: 15, failed: 30, unsent: 30 })
    expect(stopped?.message).toMatch(message)
    expect(stopped?.albumLost).toBe(albumLost)
  },
)

test('photos are named as stored by their verdicts: stored ones and those the album had', async () => {
  const { result, stored } = upload(3, () => ({
    successful: 2,
    failed: 1,
    files: [
      { filename: '1.jpg', status: 'refused', message: 'The file is damaged' },
      { filename: '2.jpg', status: 'duplicate' },
      { filename: '3.jpg', status: 'stored' },
    ],
  }))
  await vi.runAllTimersAsync()
  await result
  expect(stored).toEqual(['2.jpg', '3.jpg'])
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
