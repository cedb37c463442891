import type { Db } from '../database/client.ts'
import type { FaceMatch, PersonSearch } from '../faces/face-index.ts'
import { facesOptedOut, facesToShow } from '../photos/opted-out-queries.ts'

/** The answers of engines without the faces that have opted out. An engine keeps such a face until the opt-out is erased
 *  and a job has removed it, and the former engine has it under another id. So in a photo with such a face, a face counts
 *  only when it has a row that no opt-out hides. */
export async function withoutOptedOut<Answer extends PersonSearch>(
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
          [...answer.found].map(([albumId, { sure, possible, ...rest }]) => [
            albumId,
            { ...rest, sure: sure.filter(isAllowed), possible: possible.filter(isAllowed) },
          ]),
        ),
      },
  )
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
