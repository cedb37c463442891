import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AppError } from '../../../src/errors.ts'
import type { DescribedFace, FaceEngine } from '../../../src/faces/embedded/engine.ts'
import type { AlbumFace } from '../../../src/faces/embedded/find-person.ts'
import { describeOnce, readPeople } from './pictures.ts'

const FACE: DescribedFace = {
  box: { left: 0.25, top: 0.25, width: 0.5, height: 0.5 },
  confidence: 99,
  quality: { sharpness: 50, brightness: 40, yaw: 1, pitch: 2, roll: 3 },
  descriptor: Float32Array.of(0.1, 0.2),
}

let folder: string
let described: number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inframe-people-'))
  described = 0
})

afterEach(() => rm(folder, { recursive: true }))

/** Finds one face in each picture, and none in a grey one. */
async function load(): Promise<FaceEngine> {
  return {
    async describeFaces(image: Buffer) {
      described++
      const { channels } = await sharp(image)
        .stats()
        .catch(() => {
          throw new AppError('UNPROCESSABLE_CONTENT', 'No picture')
        })
      return channels[0]!.mean > 200 ? [FACE] : []
    },
  } as Partial<FaceEngine> as FaceEngine
}

function albumFace(photoId: string, strictness: number): AlbumFace {
  return { faceId: expect.any(String), photoId, descriptor: FACE.descriptor, strictness }
}

async function savePicture(person: string, file: string, background: string, width = 100): Promise<void> {
  await mkdir(join(folder, 'people', person), { recursive: true })
  const picture = sharp({ create: { width, height: 2 * width, channels: 3, background } }).jpeg()
  await picture.toFile(join(folder, 'people', person, file))
}

const read = async () => readPeople(join(folder, 'people'), await describeOnce(join(folder, 'cache'), load))

test('reads the pictures of each person, and names those without a usable face', async () => {
  await savePicture('Ada', '1.jpg', '#fff')
  await savePicture('Ada', '2.JPG', '#888')
  await savePicture('Ben', '1.jpeg', '#ffe')
  await writeFile(join(folder, 'people', 'Ben', 'broken.png'), 'no picture')
  await writeFile(join(folder, 'people', 'Ben', 'notes.txt'), 'no picture')
  const { pictures, unusable } = await read()
  expect(pictures).toEqual([
    { person: 'Ada', name: 'Ada/1.jpg', faces: [albumFace('Ada/1.jpg', 0)] },
    { person: 'Ben', name: 'Ben/1.jpeg', faces: [albumFace('Ben/1.jpeg', 0)] },
  ])
  expect(unusable).toEqual(['Ada/2.JPG', 'Ben/broken.png'])
})

test('measures the size of a face in pixels of its picture', async () => {
  await savePicture('Ada', 'small.jpg', '#fff', 30)
  const { pictures } = await read()
  expect(pictures[0]!.faces[0]!.strictness).toBeGreaterThan(0)
})

test('describes a picture once, whatever its name is', async () => {
  await savePicture('Ada', '1.jpg', '#fff')
  await savePicture('Ada', '2.jpg', '#888')
  const first = await read()
  expect(described).toBe(2)
  await savePicture('Ben', 'copy.jpg', '#fff')
  const second = await read()
  expect(described).toBe(2)
  expect(second.pictures[0]).toEqual(first.pictures[0])
  expect(second.pictures).toHaveLength(2)
})

test('keeps the descriptors where only this account can read them', async () => {
  await savePicture('Ada', '1.jpg', '#fff')
  await read()
  expect((await stat(join(folder, 'cache'))).mode & 0o077).toBe(0)
})
