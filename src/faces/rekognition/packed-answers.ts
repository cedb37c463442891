import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { FaceMatch } from '../face-index.ts'

/** Amazon gives no description of a face away. So what stands in place of selfies in a repeated search is what they were
 *  similar to: up to so many faces of the album, the best matches. Photos that are added later are found by their likeness
 *  to these faces. */
const MOST_FACES = 250
/** Of a similarity. Further ones would only make a search token long. */
const DECIMALS = 5

/** A face's id, and how similar each selfie is to it: 0 when it is not. */
type Packed = [faceId: string, ...similarities: number[]][]

/** @param selfies what each was similar to, in all albums
 *  @returns undefined when that is nothing */
export function packAnswers(selfies: readonly (readonly FaceMatch[])[]): Buffer | undefined {
  const similarities = new Map<string, number[]>()
  for (const [place, matches] of selfies.entries())
    for (const { faceId, similarity } of matches) {
      const known = similarities.get(faceId) ?? selfies.map(() => 0)
      similarities.set(faceId, known.with(place, Number(similarity.toFixed(DECIMALS))))
    }
  if (similarities.size === 0) return undefined
  const best = [...similarities]
    .toSorted(([, one], [, other]) => Math.max(...other) - Math.max(...one))
    .slice(0, MOST_FACES)
  const packed: Packed = best.map(([faceId, values]) => [faceId, ...values])
  return deflateRawSync(JSON.stringify(packed))
}

/** @param bytes as packAnswers gave them
 *  @returns what each selfie was similar to */
export function unpackAnswers(bytes: Buffer): Pick<FaceMatch, 'faceId' | 'similarity'>[][] {
  const packed = JSON.parse(inflateRawSync(bytes).toString()) as Packed
  const selfies = packed[0]!.slice(1)
  return selfies.map((_, place) =>
    packed
      .map(([faceId, ...similarities]) => ({ faceId, similarity: similarities[place]! }))
      .filter(({ similarity }) => similarity > 0),
  )
}
