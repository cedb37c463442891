import { SEARCH_MAX_SELFIES } from '../../contract/limits.ts'
import { uuidOf } from '../../database/uuid.ts'
import type { FaceMatch } from '../face-index.ts'

/** Amazon gives no description of a face away. So what stands in place of selfies in a repeated search is what they were
 *  similar to: up to so many faces of the album, the best matches. Photos that are added later are found by their likeness
 *  to these faces. */
const MOST_FACES = 250
const ID_BYTES = 16
/** Of each similarity: a whole number, with five decimals. */
const BYTES = 3
const PRECISION = 1e5
const RECORD_BYTES = ID_BYTES + SEARCH_MAX_SELFIES * BYTES

/** @param selfies what each was similar to, in all albums
 *  @returns undefined when that is nothing */
export function packAnswers(selfies: readonly (readonly FaceMatch[])[]): Buffer | undefined {
  const similarities = new Map<string, number[]>()
  for (const [place, matches] of selfies.entries())
    for (const { faceId, similarity } of matches) {
      const known = similarities.get(faceId) ?? selfies.map(() => 0)
      similarities.set(faceId, known.with(place, similarity))
    }
  if (similarities.size === 0) return undefined
  const best = [...similarities]
    .toSorted(([, one], [, other]) => Math.max(...other) - Math.max(...one))
    .slice(0, MOST_FACES)
  return Buffer.concat([
    Buffer.of(selfies.length),
    ...best.map(([faceId, values]) => recordOf(faceId, values)),
  ])
}

function recordOf(faceId: string, similarities: readonly number[]): Buffer {
  const record = Buffer.alloc(RECORD_BYTES)
  record.write(faceId.replaceAll('-', ''), 'hex')
  for (const [place, similarity] of similarities.entries())
    record.writeUIntBE(Math.round(similarity * PRECISION), ID_BYTES + place * BYTES, BYTES)
  return record
}

/** @param packed as packAnswers gave it
 *  @returns what each selfie was similar to */
export function unpackAnswers(packed: Buffer): Pick<FaceMatch, 'faceId' | 'similarity'>[][] {
  const records = Array.from(
    { length: Math.floor((packed.length - 1) / RECORD_BYTES) },
    (_, index) => 1 + index * RECORD_BYTES,
  )
  const similarity = (record: number, place: number) =>
    packed.readUIntBE(record + ID_BYTES + place * BYTES, BYTES) / PRECISION
  return Array.from({ length: packed[0]! }, (_, place) =>
    records
      .map((record) => ({ faceId: uuidOf(packed, record), similarity: similarity(record, place) }))
      .filter((match) => match.similarity > 0),
  )
}
