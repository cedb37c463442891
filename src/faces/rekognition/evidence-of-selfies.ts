import { SEARCH_MAX_SELFIES } from '../../contract/limits.ts'
import { uuidOf } from '../../database/uuid.ts'
import type { FaceMatch } from '../face-index.ts'

/** Amazon gives no description of a face away. So what stands in place of selfies in a repeated search is what they were
 *  similar to: up to so many faces of the album, the best matches. Photos that are added later are found by their likeness
 *  to these faces. */
const MOST_FACES = 250
const ID_BYTES = 16
/** Of each similarity. */
const BYTES = 3
/** Similarities are kept as whole numbers, with five decimals. */
const PRECISION = 1e5
const RECORD_BYTES = ID_BYTES + SEARCH_MAX_SELFIES * BYTES

/** What selfies were similar to: face ids with the similarity to each selfie, 0 where it was not similar. */
export interface SelfieEvidence {
  selfies: number
  faces: { faceId: string; similarities: number[] }[]
}

/** @param selfies what each was similar to, in all albums
 *  @returns undefined when that is nothing */
export function packEvidence(selfies: readonly (readonly FaceMatch[])[]): Buffer | undefined {
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

/** @param evidence as packEvidence gave it */
export function unpackEvidence(evidence: Buffer): SelfieEvidence {
  const selfies = evidence[0]!
  const records = Math.floor((evidence.length - 1) / RECORD_BYTES)
  return {
    selfies,
    faces: Array.from({ length: records }, (_, index) => {
      const at = 1 + index * RECORD_BYTES
      return {
        faceId: uuidOf(evidence, at),
        similarities: Array.from(
          { length: selfies },
          (_, place) => evidence.readUIntBE(at + ID_BYTES + place * BYTES, BYTES) / PRECISION,
        ),
      }
    }),
  }
}
