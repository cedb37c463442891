import type { Db, Trx } from '../database/client.ts'
import type { BoundingBox, IndexedPhoto } from '../faces/face-index.ts'
import type { Keyring } from '../keyring.ts'
import type { Log } from '../log.ts'
import { boxColumns, boxOf } from './face-box.ts'
import type { FoundFaces } from './findings.ts'
import { facesTakenOut, insertFacesTakenOut, peopleTakenOut } from './taken-out-queries.ts'

/** Two boxes are of one face when the part that both have is at least so much of what they cover together. The boxes of
 *  different engines differ by up to a half. Those of two people hardly overlap. */
const SAME_FACE = 0.3

/** A person's description, encrypted.
 *  @param id of its row */
export function sealPerson(keyring: Keyring, id: string, person: Buffer): Buffer {
  return keyring.encrypt('taken-out-person', person.toString('base64'), id)
}

/** The people whose faces are not to be indexed in an album. One that no key can read is left out, and logged: it must
 *  not keep photos from being indexed. */
export async function readPeople(
  { db, keyring, log }: { db: Db; keyring: Keyring; log: Log },
  albumId: string,
): Promise<{ people: Buffer[]; count: number }> {
  const rows = await peopleTakenOut(db, albumId)
  const people = rows.flatMap(({ id, person_cipher }) => {
    try {
      return [Buffer.from(keyring.decrypt('taken-out-person', person_cipher, id), 'base64')]
    } catch (error) {
      log.error({ albumId, err: error }, 'The wish of a guest who was taken out cannot be read')
      return []
    }
  })
  return { people, count: rows.length }
}

/** Removes from an engine's findings the faces that were taken out of the same photo before. They are still in the
 *  collection. Faces that the engine has left out are recorded, so that they stay out.
 *  @returns the findings without them, and the ids of the faces that are to be removed from the collection */
export async function keepTakenOut(
  trx: Trx,
  findings: FoundFaces[],
): Promise<{ findings: FoundFaces[]; toRemove: string[] }> {
  const known = Map.groupBy(
    await facesTakenOut(
      trx,
      findings.map(({ photo }) => photo.id),
    ),
    (row) => row.photo_id,
  )
  const boxesIn = (photoId: string) => (known.get(photoId) ?? []).map(boxOf)
  await insertFacesTakenOut(
    trx,
    findings.flatMap(({ photo, found }) =>
      withoutSame(found.leftOut ?? [], boxesIn(photo.id)).map((box) => ({
        album_id: photo.album_id,
        photo_id: photo.id,
        ...boxColumns(box),
      })),
    ),
  )
  const parted = findings.map((finding) => ({
    finding,
    ...partFaces(finding.found.faces, boxesIn(finding.photo.id)),
  }))
  return {
    findings: parted.map(({ finding, kept }) => ({ ...finding, found: { ...finding.found, faces: kept } })),
    toRemove: parted.flatMap(({ gone }) => gone.map(({ faceId }) => faceId)),
  }
}

/** Parts the faces of a photo by the boxes that were taken out of it. Each box takes out one face at most: the one that it
 *  covers best. */
export function partFaces(
  faces: IndexedPhoto['faces'],
  boxes: BoundingBox[],
): { kept: IndexedPhoto['faces']; gone: IndexedPhoto['faces'] } {
  const gone = new Set(boxes.flatMap((box) => bestOf(faces, box) ?? []))
  return { kept: faces.filter((face) => !gone.has(face)), gone: [...gone] }
}

function bestOf(faces: IndexedPhoto['faces'], box: BoundingBox) {
  return faces
    .filter((face) => overlap(face.box, box) >= SAME_FACE)
    .sort((one, other) => overlap(other.box, box) - overlap(one.box, box))[0]
}

function withoutSame(boxes: BoundingBox[], known: BoundingBox[]): BoundingBox[] {
  return boxes.filter((box) => !known.some((other) => overlap(box, other) >= SAME_FACE))
}

/** The part of what two boxes cover together that both have: 0–1. */
function overlap(one: BoundingBox, other: BoundingBox): number {
  const width = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left)
  const height = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top)
  const shared = Math.max(width, 0) * Math.max(height, 0)
  return shared / (one.width * one.height + other.width * other.height - shared)
}
