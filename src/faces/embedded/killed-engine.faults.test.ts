import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../../log.ts'
import { childrenWith } from '../../testing/child-processes.ts'
import type { Phase } from '../../testing/killed-face-engine.ts'
import { samplePhotos } from '../../testing/sample-photos.ts'
import { waitUntil } from '../../testing/wait.ts'
import { createFaceWorkers, type FaceWorkers } from './face-workers.ts'

const PROGRAM = new URL('../../testing/killed-face-engine.ts', import.meta.url)
const PHASES: Phase[] = ['starting', 'loading', 'decoding', 'inferring', 'answering']

const photos = samplePhotos().slice(0, 4)
const FACES = [3, 3, 3, 4]

let folder: string
let workers: FaceWorkers
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inframe-killed-'))
  vi.stubEnv('TMPDIR', folder)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  workers = createFaceWorkers({ log: createLog('silent'), size: 2, program: PROGRAM })
})
afterEach(() => workers.close())

/** As the jobs do: as long as no engine is available, the photo is tried again. */
function facesOf(photo: Buffer): Promise<number> {
  return waitUntil('the faces of a photo', async () => {
    try {
      return (await workers.describePhoto(photo, 'an album')).faces.length
    } catch (error) {
      expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
      return undefined
    }
  })
}

test.each(PHASES)(
  'an engine that is killed while it is %s loses no photo, and selfies are answered',
  async (phase) => {
    await workers.start()
    await writeFile(join(folder, phase), '')
    expect(await Promise.all(photos.map(facesOf))).toEqual(FACES)
    expect(existsSync(join(folder, phase))).toBe(false)
    expect((await workers.describeSelfie(photos[0]!, 'a guest')).described).toBeDefined()
  },
)

test('engines that are killed while they are idle are replaced', async () => {
  await workers.start()
  expect(await Promise.all(photos.map(facesOf))).toEqual(FACES)
  for (const pid of childrenWith('killed-face-engine.ts')) process.kill(pid, 'SIGKILL')
  expect(await Promise.all(photos.map(facesOf))).toEqual(FACES)
  expect((await workers.describeSelfie(photos[0]!, 'a guest')).described).toBeDefined()
})
