import type { Db } from '../database/client.ts'
import type { FaceMatch, PersonSearch } from '../faces/face-index.ts'
import { facesTakenOut, facesWithRow } from '../photos/taken-out-queries.ts'

/** The answers of engines without the faces that were taken out of the search. An engine may still have such a face for a
 *  moment, or while it is unavailable, and the former engine has it under another id. So in a photo that a guest was taken
 *  out of, a face counts only when it has a row. */
export async function withoutTakenOut<Answer extends PersonSearch>(
  db: Db,
  answers: (Answer | undefined)[],
): Promise<(Answer | undefined)[]> {
  const matches = answers.flatMap((answer) =>
    [...(answer?.found.values() ?? [])].flatMap(({ sure, possible }) => [...sure, ...possible]),
  )
  const isAllowed = await allowedIn(db, matches)
  return answers.map(
    (answer) =>
      answer && {
        ...answer,
        found: new Map(
          [...answer.found].map(([albumId, { sure, possible }]) => [
            albumId,
            { sure: sure.filter(isAllowed), possible: possible.filter(isAllowed) },
          ]),
        ),
      },
  )
}

async function allowedIn(db: Db, matches: FaceMatch[]): Promise<(match: FaceMatch) => boolean> {
  if (matches.length === 0) return () => true
  const rows = await facesTakenOut(
    db,
    matches.map(({ photoId }) => photoId),
  )
  const photos = new Set(rows.map((row) => row.photo_id))
  if (photos.size === 0) return () => true
  const known = await facesWithRow(
    db,
    matches.filter(({ photoId }) => photos.has(photoId)).map(({ faceId }) => faceId),
  )
  return ({ faceId, photoId }) => !photos.has(photoId) || known.has(faceId)
}
