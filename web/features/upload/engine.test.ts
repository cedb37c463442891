import { expect, test, vi } from 'vitest'
import { connectionLost, RequestFailure } from '../../lib/failure.ts'
import {
  allStored,
  type BatchAnswer,
  endless,
  PHOTO_BYTES,
  photos,
  upload,
  uploaded,
  withFakeTimers,
} from '../../testing/controlled-upload.ts'
import { endOf } from './state.ts'

withFakeTimers()

const RETRYING = ['Retrying failed batches', undefined]
const failedWith = (why: string) => `Error: ${why}. Will retry after other batches complete.`

const stuck: BatchAnswer = (_request, _attempt, { signal }) => endless(signal)

test('photos go in batches of 15, one after another, 500 ms apart', async () => {
  const { result, requests } = await uploaded(37)
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
  expect(result).toMatchObject({ successful: 37, retriedBatches: 0, notStored: [] })
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
  const { result, requests, eventLog } = await uploaded(37, (request, attempt) => {
    if (attempt === 1) throw new Error('The storage is down')
    return allStored(request)
  })
  expect(requests.map(({ at }) => at)).toEqual([0, 500, 1000, 3000])
  expect(requests[3]?.request).toEqual({ photos: requests[0]?.request.photos })
  expect(eventLog).toEqual([
    [0, 'Batch 1 failed', failedWith('The storage is down')],
    [1000, ...RETRYING],
    [3000, 'Batch 1 retry successful!', '15 photos uploaded on retry'],
  ])
  expect(result).toMatchObject({ successful: 37, retriedBatches: 1 })
})

test('photos that an attempt without an answer has brought count as new, and not those of a refused one', async () => {
  const thereBefore = async (fault: Error) => {
    const { result } = await uploaded(3, ({ photos }, attempt) => {
      if (attempt === 1) throw fault
      return {
        successful: photos.length,
        failed: 0,
        files: photos.map(({ name }) => ({ filename: name, status: 'duplicate' })),
      }
    })
    return endOf(result, 0).thereBefore
  }
  expect(await thereBefore(connectionLost())).toBe(0)
  expect(await thereBefore(new RequestFailure('Slow down', 429))).toBe(3)
})

test('a batch that fails twice is given up: its photos count as failed and are kept for another try', async () => {
  const { result, requests, eventLog } = await uploaded(20, (request) => {
    if (request.photos.length === 5) throw new Error('The connection was lost')
    return allStored(request)
  })
  expect(requests).toHaveLength(3)
  expect(eventLog.at(-1)).toEqual([2500, 'Batch 2 retry failed', '5 photos still failed after retry'])
  expect(result).toMatchObject({ successful: 15, retriedBatches: 0 })
  expect(result.notStored).toHaveLength(5)
  expect(result.notStored.at(-1)).toEqual({ filename: '20.jpg', message: 'The connection was lost' })
})

test('photos refused one by one count as failed, the others are stored, and their batch is not sent again', async () => {
  const { result, requests, eventLog, stored } = await uploaded(3, () => ({
    successful: 2,
    failed: 1,
    files: [
      { filename: '1.jpg', status: 'refused', message: 'The file is damaged' },
      { filename: '2.jpg', status: 'duplicate' },
      { filename: '3.jpg', status: 'stored' },
    ],
  }))
  expect(requests).toHaveLength(1)
  expect(eventLog).toEqual([])
  expect(result.notStored).toEqual([{ filename: '1.jpg', message: 'The file is damaged' }])
  expect(stored).toEqual(['2.jpg', '3.jpg'])
  expect(endOf(result, 5)).toMatchObject({ successful: 2, photoCount: 7, thereBefore: 6 })
})

test('a batch without an answer is stopped after 120 s; its retry may take longer', async () => {
  const { result, eventLog } = await uploaded(1, async (request, attempt, { signal }) => {
    if (attempt === 2) {
      const slow = new Promise((resolve) => setTimeout(resolve, 300_000))
      await Promise.race([slow, endless(signal)])
      return allStored(request)
    }
    return endless(signal)
  })
  expect(eventLog).toEqual([
    [120_000, 'Batch 1 failed', failedWith('No answer within 120 seconds')],
    [120_000, ...RETRYING],
    [422_000, 'Batch 1 retry successful!', '1 photo uploaded on retry'],
  ])
  expect(result.successful).toBe(1)
})

test('progress counts answered photos and sent bytes, and does not move back when a batch fails', async () => {
  const { progress } = await uploaded(16, (request, attempt, { onSent }) => {
    onSent(5 * PHOTO_BYTES)
    if (attempt === 1) throw new Error('The connection was lost')
    onSent(request.photos.length * PHOTO_BYTES + 400)
    return allStored(request)
  })

  expect(progress).toEqual(
    [
      [0, 50],
      [0, 50],
      [0, 50],
      [0, 50],
      [1, 50],
      [1, 60],
      [1, 160],
      [16, 160],
      [16, 160],
    ].map((sums) => [...sums, 160]),
  )
})

test('a batch that is lost with the network is sent again when the network is back, and has not failed', async () => {
  const { result, requests, eventLog, connection } = upload(45, (request, attempt) => {
    if (attempt === 2 || attempt === 3) throw connectionLost()
    return allStored(request)
  })
  await vi.advanceTimersByTimeAsync(100)
  connection.lose()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(requests).toHaveLength(2)
  expect(eventLog).toEqual([[500, 'waiting', { reason: 'offline', seconds: 15 }]])

  connection.restore()
  await vi.runAllTimersAsync()
  expect(eventLog.slice(1)).toEqual([
    [10_100, 'waiting', null],
    // The third attempt failed while the browser was online, so it counts as a failure.
    [10_100, 'Batch 2 failed', failedWith('The connection was lost')],
    [10_600, ...RETRYING],
    [12_600, 'Batch 2 retry successful!', '15 photos uploaded on retry'],
  ])
  expect(requests[2]!.request).toEqual(requests[1]!.request)
  expect(await result).toMatchObject({ successful: 45, retriedBatches: 1 })
})

test('an upload tries again after 15 seconds where a browser does not report that it is online', async () => {
  const { result, requests, connection } = upload(1, (request, attempt) => {
    if (attempt <= 2) throw connectionLost()
    return allStored(request)
  })
  connection.lose()
  await vi.runAllTimersAsync()
  expect(requests.map(({ at }) => at)).toEqual([0, 15_000, 30_000])
  expect(await result).toMatchObject({ successful: 1, retriedBatches: 0 })
})

test('a server that answers is used, even if the browser says that it is offline', async () => {
  const { result, eventLog, connection } = upload(30)
  connection.lose()
  await vi.runAllTimersAsync()
  expect(eventLog).toEqual([])
  expect(await result).toMatchObject({ successful: 30 })
})

test('a service that asks for time gets it, also during a retry', async () => {
  const tooMany = (seconds: number) => new RequestFailure('Slow down', 429, { retryAfterSeconds: seconds })
  const { result, requests, eventLog } = await uploaded(16, (request, attempt) => {
    if (attempt === 1) throw tooMany(30)
    if (attempt === 2) throw tooMany(10)
    if (attempt === 4) throw new Error('The storage is down')
    if (attempt === 5) throw tooMany(7)
    return allStored(request)
  })
  expect(requests.map(({ at }) => at)).toEqual([0, 30_000, 40_000, 40_500, 42_500, 49_500])
  expect(eventLog).toEqual([
    [0, 'waiting', { seconds: 30 }],
    [30_000, 'waiting', null],
    [30_000, 'waiting', { seconds: 10 }],
    [40_000, 'waiting', null],
    [40_500, 'Batch 2 failed', failedWith('The storage is down')],
    [40_500, ...RETRYING],
    [42_500, 'waiting', { seconds: 7 }],
    [49_500, 'waiting', null],
    [49_500, 'Batch 2 retry successful!', '1 photo uploaded on retry'],
  ])
  expect(result).toMatchObject({ successful: 16, retriedBatches: 1 })
})

test('a service that asks for more than ten minutes in all is asked no longer', async () => {
  const { result, requests } = await uploaded(1, () => {
    throw new RequestFailure('Slow down', 429, { retryAfterSeconds: 300 })
  })
  expect(requests.map(({ at }) => at)).toEqual([0, 300_000, 600_000])
  expect(result).toMatchObject({ successful: 0, stopped: { reason: 'busy' } })
})

test('a service without space is asked again after the time that it names, and the upload goes on', async () => {
  const full = new RequestFailure('The disk is almost full. Please try again later.', 503, {
    retryAfterSeconds: 60,
  })
  const { result, requests, eventLog } = await uploaded(1, (request, attempt) => {
    if (attempt < 3) throw full
    return allStored(request)
  })
  expect(requests.map(({ at }) => at)).toEqual([0, 60_000, 120_000])
  const waiting = { seconds: 60 }
  expect(eventLog).toEqual([
    [0, 'waiting', waiting],
    [60_000, 'waiting', null],
    [60_000, 'waiting', waiting],
    [120_000, 'waiting', null],
  ])
  expect(result).toMatchObject({ successful: 1, notStored: [] })
})

test.each([
  [404, null, 'lost'],
  [401, null, 'lost'],
  [409, null, 'lost'],
  [429, 3600, 'busy'],
  [503, 3600, 'busy'],
])(
  'an answer of %i (Retry-After %s) ends the upload and keeps the photos that are uploaded: %s',
  async (status, retryAfterSeconds, reason) => {
    const { result, requests, eventLog, stored } = await uploaded(45, (request, attempt) => {
      if (attempt === 2) throw new RequestFailure('No', status, { retryAfterSeconds })
      return allStored(request)
    })
    expect(requests).toHaveLength(2)
    expect(eventLog).toEqual([])
    expect(stored).toHaveLength(15)
    expect(result).toMatchObject({ successful: 15, stopped: { reason } })
    expect(result.notStored).toHaveLength(30)
  },
)

test('when there is nothing to send, no request is made', async () => {
  const { result, requests } = await uploaded(0)
  expect(requests).toEqual([])
  expect(result).toMatchObject({ successful: 0, files: [] })
})

test.each([
  ['between two batches stops the upload there', allStored, 2],
  ['during a request stops it, and its batch has not failed', stuck, 1],
])('leaving %s', async (_when, answer, sent) => {
  const { result, requests, eventLog, stop } = upload(45, answer)
  const ended = expect(result).rejects.toThrow('left')
  await vi.advanceTimersByTimeAsync(600)
  stop.abort(new Error('left'))
  await ended
  await vi.runAllTimersAsync()
  expect(requests).toHaveLength(sent)
  expect(eventLog).toEqual([])
})
