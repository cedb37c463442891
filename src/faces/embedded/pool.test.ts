import type { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../log.ts'
import { samplePhotos } from '../../testing/sample-photos.ts'
import { type FaceWorkers, type FaceWorkersOptions, startFaceWorkers } from './pool.ts'

const [photo, , , , fivePeople] = samplePhotos() as [Buffer, Buffer, Buffer, Buffer, Buffer]
const INTERRUPTED = { code: 'INTERNAL_SERVER_ERROR', message: expect.stringContaining('interrupted') }

const pools: FaceWorkers[] = []
let threads: Worker[] = []
const noteThread = (worker: Worker) => threads.push(worker)

beforeEach(() => {
  threads = []
  process.on('worker', noteThread)
})
afterEach(async () => {
  process.off('worker', noteThread)
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

async function startPool(options: Partial<FaceWorkersOptions> = {}): Promise<FaceWorkers> {
  const pool = await startFaceWorkers({ log: createLog('silent'), size: 1, ...options })
  pools.push(pool)
  return pool
}

test('describes photos on all of its threads, and gives each caller its own answer', async () => {
  const pool = await startPool({ size: 2 })
  expect(threads).toHaveLength(2)
  const found = await Promise.all(
    [photo, fivePeople, photo, fivePeople].map((image) => pool.describeFaces(image, 'photo')),
  )
  expect(found.map((faces) => faces.length)).toEqual([3, 5, 3, 5])
})

test("leaves libvips' cache off for the whole process", async () => {
  sharp.cache(false)
  const pool = await startPool()
  await pool.describeFaces(photo, 'photo')
  expect(sharp.cache()).toMatchObject({ memory: { max: 0 }, files: { max: 0 }, items: { max: 0 } })
})

test('leaves the bytes it receives to the caller', async () => {
  const pool = await startPool()
  const image = Buffer.from(photo)
  await pool.describeFaces(image, 'photo')
  expect(image.equals(photo)).toBe(true)
})

test('a selfie comes before the photos that wait', async () => {
  const pool = await startPool()
  const done: string[] = []
  await Promise.all([
    pool.describeFaces(photo, 'photo').then(() => done.push('photo 1')),
    pool.describeFaces(photo, 'photo').then(() => done.push('photo 2')),
    pool.describeFaces(photo, 'photo').then(() => done.push('photo 3')),
    pool.describeFaces(photo, 'selfie').then(() => done.push('selfie')),
  ])
  expect(done).toEqual(['photo 1', 'selfie', 'photo 2', 'photo 3'])
})

test('a picture that cannot be read ends no thread', async () => {
  const pool = await startPool()
  await expect(pool.describeFaces(Buffer.from('text'), 'photo')).rejects.toMatchObject({
    code: 'UNPROCESSABLE_CONTENT',
  })
  expect(await pool.describeFaces(photo, 'photo')).toHaveLength(3)
  expect(threads).toHaveLength(1)
})

test('a thread that crashes while it works on a photo is replaced: that photo fails, the following ones do not', async () => {
  const pool = await startPool()
  const unlucky = pool.describeFaces(photo, 'photo')
  const behind = pool.describeFaces(photo, 'photo')
  await Promise.all([expect(unlucky).rejects.toMatchObject(INTERRUPTED), threads[0]!.terminate()])
  expect(await behind).toHaveLength(3)
  expect(threads).toHaveLength(2)
})

test('a thread that ends while it is idle is replaced, too', async () => {
  const pool = await startPool()
  await threads[0]!.terminate()
  expect(await pool.describeFaces(photo, 'photo')).toHaveLength(3)
  expect(threads).toHaveLength(2)
})

test('a fault inside a thread ends it, and only its photo fails', async () => {
  const pool = await startPool()
  const unlucky = pool.describeFaces(photo, 'photo')
  const behind = pool.describeFaces(photo, 'photo')
  threads[0]!.postMessage({ kind: 'photo', image: -1 }) // no image has this length
  await expect(unlucky).rejects.toMatchObject(INTERRUPTED)
  expect(await behind).toHaveLength(3)
})

test('a photo that takes too long is cut off', async () => {
  const pool = await startPool({ timeLimit: 1 })
  await expect(pool.describeFaces(photo, 'photo')).rejects.toMatchObject(INTERRUPTED)
})

test('closing waits for the photo under way, and refuses waiting and new photos', async () => {
  const pool = await startPool()
  const underWay = pool.describeFaces(photo, 'photo')
  const waiting = pool.describeFaces(photo, 'photo')
  const refused = expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await pool.close()
  await refused
  expect(await underWay).toHaveLength(3)
  await expect(pool.describeFaces(photo, 'photo')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(threads.map((thread) => thread.threadId)).toEqual([-1])
})

test('a pool whose threads cannot start says so', async () => {
  process.once('worker', (worker: Worker) => void worker.terminate())
  await expect(startPool({ size: 2 })).rejects.toThrow(/face engine did not start/)
})

test('a pool is down while its last thread has ended and no other starts', async () => {
  const pool = await startPool()
  expect(pool.isDown()).toBe(false)
  process.once('worker', (worker: Worker) => void worker.terminate())
  await threads[0]!.terminate()
  await expect.poll(() => pool.isDown(), { timeout: 10_000 }).toBe(true)
  await expect.poll(() => pool.isDown(), { timeout: 20_000 }).toBe(false)
  expect(await pool.describeFaces(photo, 'photo')).toHaveLength(3)
})
