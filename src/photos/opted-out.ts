import type { AppContext } from '../context.ts'
import type { Trx } from '../database/client.ts'
import type { OptOutState } from '../database/schema.ts'
import type { BoundingBox } from '../faces/face-index.ts'
import type { Keyring } from '../keyring.ts'
import { boxOf } from './face-box.ts'
import { facesOptedOut, peopleKeptOut, type SettledFaces } from './face-queries.ts'
import type { FoundFaces } from './index-faces.ts'

/** Two boxes are of one face when the part that both have is at least so much of what they cover together. The boxes of
 *  different engines differ by up to a half. Those of two people hardly overlap. */
const SAME_FACE = 0.3

/** A person's description, encrypted.
 *  @param id of the opt-out */
export function sealPerson(keyring: Keyring, id: string, person: Buffer): Buffer {
  return keyring.encrypt('opted-out-person', person.toString('base64'), id)
}

/** The people whose faces are not to be indexed in an album. One that no key can read is empty, and logged: it must not keep
 *  photos from being indexed.
 *  @returns their descriptions, and their opt-outs in the same order */
export async function readPeople(
  { db, keyring, log }: Pick<AppContext, 'db' | 'keyring' | 'log'>,
  albumId: string,
): Promise<{ people: Buffer[]; optOutIds: string[] }> {
  const rows = await peopleKeptOut(db, albumId)
  const people = rows.map(({ id, person_cipher }) => {
    try {
      return Buffer.from(keyring.decrypt('opted-out-person', person_cipher, id), 'base64')
    } catch (error) {
      log.error({ albumId, err: error }, 'The opt-out of a guest cannot be read')
      return Buffer.alloc(0)
    }
  })
  return { people, optOutIds: rows.map(({ id }) => id) }
}

/** Says of the faces that an engine has found which ones an opt-out hides. Those that were erased are no longer among them, but
 *  they still count as found, also when the engine does not find again what was removed from its collection. Faces that the
 *  engine has left out are recorded by their places, so that they stay out.
 *  @returns what is to be recorded, and the ids of the faces that are to be removed from the collection */
export async function keepOptedOut(
  trx: Trx,
  { photo, found, engine, withoutPeople = [] }: FoundFaces,
): Promise<{ settled: SettledFaces; toRemove: string[] }> {
  const former = (await facesOptedOut(trx, [photo.id])).map((row) => ({ ...row, box: boxOf(row) }))
  const { faces, leftOut = [], unindexed } = found
  const formerOf = matchFaces(faces, former)
  const isErased = (face: (typeof faces)[number]) => formerOf.get(face)?.state === 'erased'
  const present = faces.filter((face) => !isErased(face))
  const replaced = new Set(present.map((face) => formerOf.get(face)))
  const settled = {
    photo,
    engine,
    unindexed,
    faces: present.map((face) => ({ ...face, optOutId: formerOf.get(face)?.opt_out_id ?? null })),
    places: [
      ...former
        .filter((row) => !replaced.has(row))
        .map(({ box, opt_out_id }) => ({ box, optOutId: opt_out_id })),
      ...leftOut
        .filter(({ box }) => !isAt(box, former))
        .map(({ box, person }) => ({ box, optOutId: withoutPeople[person]! })),
    ],
    faceCount: countWithErased([...faces, ...leftOut], former),
  }
  return { settled, toRemove: faces.filter(isErased).map(({ faceId }) => faceId) }
}

/** How many faces a photo has: those that were found, and those that were erased and not found again. */
function countWithErased(
  faces: readonly { box: BoundingBox }[],
  former: readonly { box: BoundingBox; state: OptOutState }[],
): number {
  const counted = [...faces]
  for (const row of former) if (row.state === 'erased' && !isAt(row.box, counted)) counted.push(row)
  return counted.length
}

const isAt = (box: BoundingBox, others: readonly { box: BoundingBox }[]) =>
  others.some((other) => overlap(box, other.box) >= SAME_FACE)

/** Finds the face of each box in a photo: the one that it covers best, if that is the same one. No face has two boxes. */
export function matchFaces<Face extends { box: BoundingBox }, Place extends { box: BoundingBox }>(
  faces: readonly Face[],
  places: readonly Place[],
): Map<Face, Place> {
  const placeOf = new Map<Face, Place>()
  for (const place of places) {
    const [best] = faces
      .filter((face) => !placeOf.has(face) && overlap(face.box, place.box) >= SAME_FACE)
      .sort((one, other) => overlap(other.box, place.box) - overlap(one.box, place.box))
    if (best) placeOf.set(best, place)
  }
  return placeOf
}

/** The part of what two boxes cover together that both have: 0–1. */
function overlap(one: BoundingBox, other: BoundingBox): number {
  const width = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left)
  const height = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top)
  const shared = Math.max(width, 0) * Math.max(height, 0)
  return shared / (one.width * one.height + other.width * other.height - shared)
}
