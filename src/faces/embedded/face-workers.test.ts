import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../log.ts'
import { childrenWith } from '../../testing/child-processes.ts'
import { samplePhotos } from '../../testing/sample-photos.ts'
import { createFaceWorkers, type FaceWorkers, type FaceWorkersOptions } from './face-workers.ts'

const REFUSED = 'UNPROCESSABLE_CONTENT'

const processes = () => childrenWith('face-worker.ts')

describe('face engines in processes', () => {
  const [photo, , , , fivePeople] = samplePhotos() as [Buffer, Buffer, Buffer, Buffer, Buffer]
  let workers: FaceWorkers
  const lines: Record<string, unknown>[] = []

  beforeAll(async () => {
    const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
    workers = createFaceWorkers({ log, size: 2 })
    await workers.start()
  })
  afterAll(async () => {
    await workers.close()
    expect(processes()).toEqual([])
  })

  test('all start, describe photos at the same time, and give each caller its own answer', async () => {
    expect(processes()).toHaveLength(2)
    const found = await Promise.all(
      [photo, fivePeople, photo].map((image) => workers.describeFaces(image, 'an album')),
    )
    expect(found.map((faces) => faces.length)).toEqual([3, 5, 3])
    expect(found[0]![0]!.descriptor).toBeInstanceOf(Float32Array)
  })

  test('say once what they run on', () => {
    expect(lines.filter(({ runtime }) => runtime)).toMatchObject([{ runtime: 'native' }])
  })

  test('run on WebAssembly where that is asked for, with the same results', async () => {
    const onWasm = createFaceWorkers({ log: createLog('silent'), size: 1, runtime: 'wasm' })
    const [faces, expected] = await Promise.all(
      [onWasm, workers].map((engines) => engines.describeFaces(photo, 'an album')),
    )
    await onWasm.close()
    expect(faces).toHaveLength(expected!.length)
    for (const [index, { descriptor }] of faces!.entries())
      for (const [place, value] of descriptor.entries())
        expect(value).toBeCloseTo(expected![index]!.descriptor[place]!, 3)
  })

  test('describe the largest face of a selfie', async () => {
    const all = await workers.describeFaces(fivePeople, 'an album')
    const largest = await workers.describeLargestFace(fivePeople, 'an album')
    expect(all).toContainEqual(largest)
    const area = ({ box }: { box: { width: number; height: number } }) => box.width * box.height
    expect(Math.max(...all.map(area))).toBe(area(largest!))
  })

  test('go on after a picture that cannot be read', async () => {
    const before = processes()
    await expect(workers.describeFaces(Buffer.from('text'), 'an album')).rejects.toMatchObject({
      code: REFUSED,
      message: expect.stringContaining('could not be read'),
    })
    expect(processes()).toEqual(before)
  })

  test('may be killed at any moment: the photos under way are described all the same', async () => {
    const before = processes()
    const underWay = [photo, fivePeople].map((image) => workers.describeFaces(image, 'an album'))
    for (const pid of before) process.kill(pid, 'SIGKILL')
    expect((await Promise.all(underWay)).map((faces) => faces.length)).toEqual([3, 5])
    expect(processes().some((pid) => before.includes(pid))).toBe(false)
  })
})

describe('a picture', () => {
  const started: FaceWorkers[] = []
  let reasons: string[] = []
  afterEach(async () => {
    reasons = []
    await Promise.all(started.splice(0).map((workers) => workers.close()))
  })

  /** One process of a program in place of the engine's. The log's reasons say how often a process was lost. */
  function oneWorker(options: Partial<FaceWorkersOptions> = {}): FaceWorkers {
    const workers = createFaceWorkers({
      log: createLog('warn', { write: (line) => void reasons.push(JSON.parse(line).reason) }),
      size: 1,
      program: new URL('../../testing/harmed-face-engine.ts', import.meta.url),
      limits: { processorLimit: 500, timeLimit: 60_000, memoryLimit: 300_000_000 },
      ...options,
    })
    started.push(workers)
    return workers
  }

  const index = (workers: FaceWorkers, image: string) => workers.describeFaces(Buffer.from(image), 'an album')

  test.each([
    ['hangs', /took too long/, ['time']],
    ['grows', /took too much memory/, ['memory']],
    ['crashes', /crashed twice/, ['crash', 'crash']],
  ])('on which the engine %s is refused, and the next one is described', async (image, message, lost) => {
    const workers = oneWorker()
    const refused = expect(index(workers, image)).rejects.toMatchObject({ code: REFUSED, message })
    const behind = index(workers, 'a photo')
    await refused
    expect(await behind).toHaveLength(1)
    expect(reasons).toEqual(lost)
  })

  test('of a visitor gets the same errors', async () => {
    const selfie = oneWorker().describeLargestFace(Buffer.from('hangs'), 'an album')
    await expect(selfie).rejects.toMatchObject({
      code: REFUSED,
      message: expect.stringMatching('took too long'),
    })
  })

  test('of a visitor comes before the photos that wait, and albums take turns', async () => {
    const workers = oneWorker()
    await workers.start()
    const done: string[] = []
    const image = Buffer.from('a photo')
    const photoOf = (albumId: string, name: string) =>
      workers.describeFaces(image, albumId).then(() => done.push(name))
    await Promise.all([
      photoOf('large', 'large 1'),
      photoOf('large', 'large 2'),
      photoOf('large', 'large 3'),
      photoOf('small', 'small 1'),
      workers.describeLargestFace(image, 'small').then(() => done.push('selfie')),
    ])
    expect(done).toEqual(['large 1', 'selfie', 'large 2', 'small 1', 'large 3'])
  })

  test('under way is finished when the engine is closed, and a waiting one is refused', async () => {
    const workers = oneWorker()
    await workers.start()
    const underWay = index(workers, 'a photo')
    const refused = expect(index(workers, 'a photo')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    await workers.close()
    await refused
    expect(await underWay).toHaveLength(1)
    await expect(index(workers, 'a photo')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })

  test('is not taken while no engine starts', async () => {
    const program = new URL('./missing.ts', import.meta.url)
    await expect(oneWorker({ program }).start()).rejects.toThrow(/face engine did not start/)
    const workers = oneWorker({ program })
    await expect(index(workers, 'a photo')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(workers.isDown()).toBe(true)
  })
})
