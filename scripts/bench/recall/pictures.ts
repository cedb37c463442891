import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Db } from '../../../src/database/client.ts'
import { hasCode } from '../../../src/errors.ts'
import { bytesOf } from '../../../src/faces/embedded/descriptors.ts'
import { sideWhenDescribed, strictnessOf } from '../../../src/faces/embedded/matching/face-trust.ts'
import type { AlbumFace } from '../../../src/faces/embedded/matching/find-person.ts'
import { type FaceEngine, loadFaceEngine } from '../../../src/faces/embedded/networks/engine.ts'
import { insertIndexedPhotos } from '../../../src/testing/indexed-photos.ts'

/** A picture with at least one face. Its folder says who the person is. */
export interface Picture {
  person: string
  /** person/file */
  name: string
  /** The largest first: a search by the picture uses that one. */
  faces: Omit<AlbumFace, 'photoId'>[]
}

/** Describes the JPEG and PNG files of a folder that has a folder for each person.
 *  Those in which no face can be described are left out. */
export async function readPeople(folder: string): Promise<Picture[]> {
  const { engine } = await loadFaceEngine()
  const pictures: Picture[] = []
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const name of names.filter((one) => /^[^/]+\/[^/]+\.(jpe?g|png)$/i.test(one)).sort()) {
    const faces = await describe(engine, readFileSync(join(folder, name)))
    if (faces.length > 0) pictures.push({ person: name.split('/')[0]!, name, faces })
  }
  return pictures
}

async function describe(engine: FaceEngine, image: Buffer): Promise<Picture['faces']> {
  try {
    const { faces } = await engine.describePhoto(image)
    const size = (await sharp(image).metadata()).autoOrient
    return faces.map(({ descriptor, quality, box }) => ({
      ...{ faceId: randomUUID(), descriptor },
      strictness: strictnessOf(quality, sideWhenDescribed(box, size)),
    }))
  } catch (error) {
    if (hasCode(error, 'UNPROCESSABLE_CONTENT')) return []
    throw error
  }
}

/** Stores the pictures as photos of an album. A face that is poor is stored as a blurred one.
 *  @returns the names of the photos by their ids */
export async function storePictures(
  db: Db,
  albumId: string,
  pictures: Picture[],
): Promise<Map<string, string>> {
  const photoIds = await insertIndexedPhotos(db, albumId, pictures.length)
  const quality = { brightness: 50, yaw: 0, pitch: 0, roll: 0 }
  // The larger face has the larger box.
  const boxOf = (place: number) => ({ box_left: 0, box_top: 0, box_width: 1 - place / 1_000, box_height: 1 })
  for (const [number, { faces }] of pictures.entries()) {
    const ids = { album_id: albumId, photo_id: photoIds[number]! }
    await db.updateTable('photos').set({ face_count: faces.length }).where('id', '=', ids.photo_id).execute()
    const rows = faces.map(({ faceId, descriptor, strictness }, place) => ({
      ...{ id: faceId, ...ids, ...boxOf(place), confidence: 99, ...quality },
      ...{ sharpness: strictness > 0 ? 0 : 90, descriptor: bytesOf(descriptor) },
    }))
    await db.insertInto('faces').values(rows).execute()
  }
  return new Map(photoIds.map((id, number) => [id, pictures[number]!.name]))
}
