import { expect, test, vi } from 'vitest'
import { connectionLost, RequestFailure } from '../../lib/failure.ts'
import {
  allStored,
  type BatchAnswer,
  endless,
  PHOTO_BYTES,
  upload,
  uploaded,
  withFakeTimers,
} from '../../testing/controlled-upload.ts'
import type { BatchRequest } from './engine.ts'
import type { Prepare } from './shrink.ts'

withFakeTimers()

const GONE = 'This file has been moved or changed since it was chosen. Choose it again.'

const namesOf = ({ photos }: BatchRequest) => photos.map((photo) => photo.name)

/** A request with a file that cannot be read never gets an answer. */
function answerUnless(gone: string[], failure = connectionLost) {
  return (request: BatchRequest) => {
    if (namesOf(request).some((name) => gone.includes(name))) throw failure()
    return allStored(request)
  }
}

/** Uploads photos. These names are missing on the disk. */
const uploadedWithout = (gone: string[], count: number, answer: BatchAnswer = answerUnless(gone)) =>
  uploaded(count, answer, (name) => !gone.includes(name))

test('photos that can no longer be read fail alone, and the rest of their batch is sent at once', async () => {
  const gone = ['17.jpg', '20.jpg']
  const { result, requests, eventLog, stored } = await uploadedWithout(gone, 37)
  expect(requests.map(({ at, request }) => [at, request.photos.length])).toEqual([
    [0, 15],
    [500, 15],
    [500, 13],
    [1000, 7],
  ])
  expect(requests[2]!.request.fields).toEqual(requests[1]!.request.fields)
  expect(eventLog).toEqual([])
  expect(stored).toHaveLength(35)
  expect(stored).not.toContain('17.jpg')
  const { successful, failed, retriedBatches, files, unsent, unreadable } = result
  expect({ successful, failed, retriedBatches }).toEqual({ successful: 35, failed: 2, retriedBatches: 0 })
  expect(files).toHaveLength(37)
  expect(files.filter((file) => file.status === 'refused')).toEqual(
    gone.map((filename) => ({ filename, status: 'refused', message: GONE })),
  )
  expect(unreadable.map((photo) => photo.name)).toEqual(gone)
  expect(unsent).toEqual(unreadable)
})

test('a batch without readable photos is left out without a failed request', async () => {
  const gone = ['16.jpg', '17.jpg']
  const { result, requests, eventLog } = await uploadedWithout(gone, 17)
  expect(requests).toHaveLength(2)
  expect(eventLog).toEqual([])
  expect(result).toMatchObject({ successful: 15, failed: 2, retriedBatches: 0 })
})

test('photos are checked only after a request that got no answer or a 400', async () => {
  const checked: string[] = []
  const failures = [
    null,
    new RequestFailure('Slow down', 429),
    new RequestFailure('The storage is down', 503),
  ]
  const { result } = await uploaded(
    1,
    (request, attempt) => {
      const failure = failures[attempt]
      if (failure) throw failure
      return allStored(request)
    },
    (name) => checked.push(name) > 0,
  )
  expect(result.successful).toBe(1)
  expect(checked).toEqual([])

  const bad = await uploadedWithout(
    ['1.jpg'],
    2,
    answerUnless(['1.jpg'], () => new RequestFailure('No photos were sent', 400)),
  )
  expect(bad.result).toMatchObject({ successful: 1, failed: 1 })
})

test('a request that hangs because of an unreadable photo is sent again without it after the time limit', async () => {
  const { result, requests, eventLog } = await uploaded(
    2,
    (request, attempt, { signal }) => (attempt === 1 ? endless(signal) : allStored(request)),
    (name) => name !== '2.jpg',
  )
  expect(requests.map(({ at, request }) => [at, ...namesOf(request)])).toEqual([
    [0, '1.jpg', '2.jpg'],
    [120_000, '1.jpg'],
  ])
  expect(eventLog).toEqual([])
  expect(result).toMatchObject({ successful: 1, failed: 1 })
})

test('without a network an unreadable photo is found, too, and the others wait for the network', async () => {
  const { result, requests, eventLog, connection } = upload(
    2,
    (request, attempt) => {
      if (attempt < 3) throw connectionLost()
      return allStored(request)
    },
    (name) => name !== '1.jpg',
  )
  connection.lose()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(requests.map(({ request }) => namesOf(request))).toEqual([['1.jpg', '2.jpg'], ['2.jpg']])
  connection.restore()
  await vi.runAllTimersAsync()
  expect(eventLog).toEqual([
    [0, 'waiting', { reason: 'offline' }],
    [30_000, 'waiting', null],
  ])
  expect(await result).toMatchObject({ successful: 1, failed: 1 })
})

test('photos that become unreadable before the retry count as failed, and so does a batch that loses all of them', async () => {
  const gone = new Set<string>()
  const { result, requests, eventLog } = await uploaded(
    16,
    (request, attempt) => {
      if (attempt < 3) throw new Error('The storage is down')
      if (attempt === 3) gone.add('3.jpg')
      if (attempt === 5) gone.add('16.jpg')
      if (namesOf(request).some((name) => gone.has(name))) throw connectionLost()
      return allStored(request)
    },
    (name) => !gone.has(name),
  )
  expect(requests.map(({ request }) => request.photos.length)).toEqual([15, 1, 15, 14, 1])
  expect(eventLog.slice(3)).toEqual([
    [2500, 'retried', 1, 14],
    [3000, 'retry failed', 2, 1],
  ])
  expect(result).toMatchObject({ successful: 14, failed: 2, retriedBatches: 1 })
})

test('an upload that is stopped counts each photo once', async () => {
  const { result } = await uploadedWithout(['1.jpg'], 3, (request) => {
    if (request.photos.length === 3) throw connectionLost()
    throw new RequestFailure('Gone', 404)
  })
  const { failed, unsent, unreadable, stopped } = result
  expect(stopped?.albumLost).toBe(true)
  expect({ failed, unsent: unsent.length, unreadable: unreadable.length }).toEqual({
    failed: 3,
    unsent: 3,
    unreadable: 1,
  })
})

test('leaving while photos are checked ends the upload', async () => {
  const { result, requests, stop } = upload(
    2,
    () => {
      throw connectionLost()
    },
    () => {
      stop.abort(new Error('left'))
      return false
    },
  )
  await expect(result).rejects.toThrow('left')
  expect(requests).toHaveLength(1)
})

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
  expect(progress).toEqual([
    [1, 0, 2 * PHOTO_BYTES],
    [3, 2 * PHOTO_BYTES, 2 * PHOTO_BYTES],
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
  expect(eventLog[0]).toEqual([0, 'batch failed', 1, 'A part of this page did not load'])
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
