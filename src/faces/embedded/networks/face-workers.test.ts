import { writeFile } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../../log.ts'
import { childrenWith, nicenessOf } from '../../../testing/child-processes.ts'
import { folderOfFile } from '../../../testing/folder-of-file.ts'
import { samplePhotos } from '../../../testing/sample-photos.ts'
import { createFaceWorkers, type FaceWorkers, type FaceWorkersOptions } from './face-workers.ts'

const folder = await folderOfFile()
const REFUSED = 'UNPROCESSABLE_CONTENT'

const processes = () => childrenWith('face-worker.ts')

describe('face engines in processes', () => {
  const [photo, , , , fivePeople] = samplePhotos() as [Buffer, Buffer, Buffer, Buffer, Buffer]
  let workers: FaceWorkers
  const lines: Record<string, unknown>[] = []
  let selfieEngine: number[]

  beforeAll(async () => {
    const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
    workers = createFaceWorkers({ log, size: 2 })
    await workers.start()
    selfieEngine = processes()
  })
  afterAll(async () => {
    await workers.close()
    expect(processes()).toEqual([])
  })

  test('start with one for selfies; those for photos start when photos wait, and give each caller its own answer', async () => {
    expect(selfieEngine).toHaveLength(1)
    const found = await Promise.all([photo, fivePeople, photo].map((image) => workers.describePhoto(image)))
    expect(found.map(({ faces }) => faces.length)).toEqual([3, 5, 3])
    expect(found[0]!.faces[0]!.descriptor).toBeInstanceOf(Float32Array)
    await expect.poll(processes).toHaveLength(3)
  })

  test('for photos give way to selfies and to the service', () => {
    const ofPhotos = processes().filter((pid) => !selfieEngine.includes(pid))
    expect(new Set(selfieEngine.flatMap(nicenessOf))).toEqual(new Set([getPriority()]))
    expect(new Set(ofPhotos.flatMap(nicenessOf))).toEqual(new Set([Math.min(getPriority() + 5, 19)]))
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
      program: new URL('../../../testing/harmed-face-engine.ts', import.meta.url),
      limits: { processorLimit: 500, timeLimit: 60_000, memoryLimit: 300_000_000 },
      ...options,
    })
    started.push(workers)
    return workers
  }

  const index = (workers: FaceWorkers, image: string) => workers.describePhoto(Buffer.from(image))

  test.each([
    ['hangs', { code: REFUSED, message: expect.stringMatching(/took too long/) }, ['time']],
    ['grows', { code: REFUSED, message: expect.stringMatching(/took too much memory/) }, ['memory']],
    ['crashes', { code: REFUSED, message: expect.stringMatching(/crashed twice/) }, ['crash', 'crash']],
    // The photo may be harmless, so its job is tried again.
    ['is killed', { name: 'TaskFault', reason: 'killed' }, ['killed', 'killed']],
  ])('on which the engine %s is refused, and the next one is described', async (image, error, lost) => {
    const workers = oneWorker()
    const refused = expect(index(workers, image)).rejects.toMatchObject(error)
    const behind = index(workers, 'a photo')
    await refused
    expect((await behind).faces).toHaveLength(1)
    expect(reasons).toEqual(lost)
  })

  test('after the last one all engines end but one for selfies, and the next one starts them again', async () => {
    const workers = oneWorker({ size: 2, idleLimit: 50 })
    await workers.start()
    const remaining = childrenWith('harmed-face-engine.ts')
    await Promise.all([index(workers, 'a photo'), index(workers, 'a photo'), index(workers, 'a photo')])
    await expect.poll(() => childrenWith('harmed-face-engine.ts')).toEqual(remaining)
    expect((await index(workers, 'a photo')).faces).toHaveLength(1)
  })

  test('of a visitor may be tried again when the system has killed the engine', async () => {
    const selfie = oneWorker().describeSelfie(Buffer.from('is killed'))
    await expect(selfie).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })

  test('of a visitor never waits for a photo', async () => {
    const workers = oneWorker()
    const until = join(folder, 'done')
    const done: string[] = []
    const photos = [`waits until ${until}`, 'a photo', 'a photo'].map((image) =>
      workers.describePhoto(Buffer.from(image)).then(() => done.push(image)),
    )
    for (let selfies = 0; selfies < 3; selfies++)
      expect(await workers.describeSelfie(Buffer.from('a selfie'))).toBeDefined()
    expect(done).toEqual([])
    await writeFile(until, '')
    await Promise.all(photos)
  })
})
