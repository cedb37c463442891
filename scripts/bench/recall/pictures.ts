import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { uuidOf } from '../../../src/database/uuid.ts'
import { hasCode } from '../../../src/errors.ts'
import { sideWhenDescribed, strictnessOf } from '../../../src/faces/embedded/matching/face-trust.ts'
import type { AlbumFace } from '../../../src/faces/embedded/matching/find-person.ts'
import type { DescribedFace, FaceEngine } from '../../../src/faces/embedded/networks/engine.ts'
import type { Picture } from './trials.ts'

/** A face and the longer side of its box, in pixels. */
export interface SizedFace extends DescribedFace {
  side: number
}

export interface People {
  pictures: Picture<AlbumFace>[]
  /** person/file of the pictures in which no face can be described. */
  unusable: string[]
}

const PICTURE = /\.(jpe?g|png)$/i
const ENGINE_SOURCES = join(import.meta.dirname, '../../../src/faces/embedded/networks/*.ts')

/** The faces of a picture, the largest first; none if it cannot be read. */
export type Describe = (image: Buffer) => Promise<SizedFace[]>

/** Describes the JPEG and PNG files of a folder that has a folder for each person. */
export async function readPeople(folder: string, describe: Describe): Promise<People> {
  const people: People = { pictures: [], unusable: [] }
  const entries = await readdir(folder, { withFileTypes: true })
  const persons = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  for (const person of persons.sort())
    for (const file of (await readdir(join(folder, person))).filter((name) => PICTURE.test(name)).sort()) {
      const name = `${person}/${file}`
      const faces = await describe(await readFile(join(folder, person, file)))
      if (faces.length > 0) people.pictures.push({ person, name, faces: albumFaces(name, faces) })
      else people.unusable.push(name)
    }
  return people
}

function albumFaces(photoId: string, faces: readonly SizedFace[]): AlbumFace[] {
  return faces.map(({ descriptor, quality, side }, index) => ({
    faceId: uuidOf(Buffer.from(hashOf(Buffer.from(`${photoId} ${index}`)), 'hex')),
    photoId,
    descriptor,
    strictness: strictnessOf(quality, side),
  }))
}

/** Keeps what was described in `folder`, so that a second run is quick. Only this account can read it. A change of the
 *  engine's code makes a new cache.
 *  @param load is called when there is a picture that was not described before */
export async function describeOnce(folder: string, load: () => Promise<FaceEngine>): Promise<Describe> {
  const sources = await Promise.all(
    globSync(ENGINE_SOURCES)
      .sort()
      .map((file) => readFile(file)),
  )
  const cache = join(folder, hashOf(...sources))
  await mkdir(cache, { recursive: true, mode: 0o700 })
  let engine: Promise<FaceEngine> | undefined
  return async (image) => {
    const file = join(cache, `${hashOf(image)}.json`)
    const known = await readFile(file, 'utf8').catch(() => undefined)
    if (known !== undefined) return parse(known)
    engine ??= load()
    const faces = await describeWith(await engine, image)
    await writeFile(
      `${file}.new`,
      JSON.stringify(faces, (_, value) => (value instanceof Float32Array ? [...value] : value)),
    )
    await rename(`${file}.new`, file)
    return faces
  }
}

async function describeWith(engine: FaceEngine, image: Buffer): Promise<SizedFace[]> {
  try {
    const faces = await engine.describeFaces(image)
    const { width, height } = (await sharp(image).metadata()).autoOrient
    return faces.map((face) => ({
      ...face,
      side: sideWhenDescribed(face.box, { width, height }),
    }))
  } catch (error) {
    if (hasCode(error, 'UNPROCESSABLE_CONTENT')) return []
    throw error
  }
}

function parse(text: string): SizedFace[] {
  return JSON.parse(text, (key, value) => (key === 'descriptor' ? Float32Array.from(value) : value))
}

function hashOf(...parts: Buffer[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex').slice(0, 32)
}
