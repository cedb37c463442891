import type { Db } from '../database/client.ts'
import type { FaceMatch, FoundPerson } from '../faces/face-index.ts'
import { facesOptedOut, facesToShow } from '../photos/opted-out-queries.ts'

/** What was found, without the faces that have opted out. The engine keeps such a face until the opt-out is erased and a job
 *  has removed it. So in a photo with such a face, a face counts only when it has a row that no opt-out hides. */
export async function withoutOptedOut(db: Db, found: FoundPerson[]): Promise<FoundPerson[]> {
  const isAllowed = await allowedIn(
    db,
    found.flatMap(({ sure, possible }) => [...sure, ...possible]),
  )
  return found.map(({ sure, possible, ...rest }) => ({
    ...rest,
    sure: sure.filter(isAllowed),
    possible: possible.filter(isAllowed),
  }))
}

async function allowedIn(db: Db, matches: FaceMatch[]): Promise<(match: FaceMatch) => boolean> {
  if (matches.length === 0) return () => true
  const rows = await facesOptedOut(
    db,
    matches.map(({ photoId }) => photoId),
  )
  const photos = new Set(rows.map((row) => row.photo_id))
  if (photos.size === 0) return () => true
  const known = await facesToShow(
    db,
    matches.filter(({ photoId }) => photos.has(photoId)).map(({ faceId }) => faceId),
  )
  return ({ faceId, photoId }) => !photos.has(photoId) || known.has(faceId)
}
