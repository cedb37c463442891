import { foundPerson } from '../best-of-photos.ts'
import { type FaceMatch, type FoundPerson, SURE_AMONG_CHILDREN } from '../face-index.ts'

/** Similarities (0–100) from which a face is shown. */
export interface SimilarityLimits {
  /** Surely the person. */
  sure: number
  /** The person is asked about it. */
  possible: number
}

/** The default of FaceMatchThreshold in the API. With it, 28 of 535 portraits were matched with one of 25,000 other people
 *  (a test by the ACLU, 2018). */
const SURE = 80
/** The lowest value that the documentation of FaceMatchThreshold names ("don't return any matches where confidence in matches
 *  is less than 70%"). The default for faces that are put together as one person is 75 (UserMatchThreshold). */
const POSSIBLE = 70

/** @param threshold replaces the sure limit
 *  @param amongChildren the sure limit is at least that of albums for children */
export function similarityLimits(threshold = SURE, amongChildren = false): SimilarityLimits {
  const sure = amongChildren ? Math.max(threshold, SURE_AMONG_CHILDREN) : threshold
  return { sure, possible: Math.min(POSSIBLE, threshold) }
}

/** A face of the album. */
export type AlbumFace = Pick<FaceMatch, 'faceId' | 'photoId'>

/** What pictures of a person are similar to, in one album. */
export interface Evidence {
  /** For each picture that decides alone: a selfie, or the first remembered face. */
  deciding: readonly FaceMatch[][]
  /** For each face that was surely found. */
  found?: readonly FaceMatch[][]
  /** For each face that the person has confirmed. */
  confirmed?: readonly FaceMatch[][]
  /** Faces that are the person's, whatever they are similar to. */
  own?: readonly AlbumFace[]
  /** Ids of faces that are not the person's. */
  rejected: ReadonlySet<string>
}

/** Faces that must agree on another one. */
const AGREEING = 2

interface Candidate extends FaceMatch {
  isDecided: boolean
  /** How many of the found faces are surely similar to it; all confirmed ones together count as one more. */
  agreeing: number
}

/** Finds the photos of a person. A selfie decides alone. A face that no selfie has surely found is sure only when two
 *  faces agree, one of which was surely found. So a single wrong face brings nobody in. Wrong answers of the person do
 *  not bring anybody in either: at most, the person is asked about the other photos of a stranger. A person is in a
 *  photo once, so only the best face of a photo counts. */
export function findPerson(evidence: Evidence, { sure, possible }: SimilarityLimits): FoundPerson {
  const { deciding, found = [], confirmed = [], own = [], rejected } = evidence
  const candidates = new Map<string, Candidate>()
  const candidate = (match: FaceMatch): Candidate => {
    const known = candidates.get(match.faceId) ?? { ...match, isDecided: false, agreeing: 0 }
    known.similarity = Math.max(known.similarity, match.similarity)
    candidates.set(match.faceId, known)
    return known
  }
  for (const match of deciding.flat()) candidate(match).isDecided ||= match.similarity >= sure
  for (const match of [...found.flat(), ...bestOfFaces(confirmed.flat())]) {
    const known = candidate(match)
    if (match.similarity >= sure) known.agreeing++
  }
  for (const face of own) candidate({ ...face, similarity: 100 }).isDecided = true

  const allowed = [...candidates.values()].filter(({ faceId }) => !rejected.has(faceId))
  const isSure = ({ isDecided, agreeing }: Candidate) => isDecided || agreeing >= AGREEING
  return foundPerson(
    allowed.filter(isSure),
    allowed.filter(({ similarity }) => similarity >= possible),
  )
}

/** The best match of each face. */
function bestOfFaces(matches: readonly FaceMatch[]): Iterable<FaceMatch> {
  const best = new Map<string, FaceMatch>()
  for (const match of matches)
    if (match.similarity > (best.get(match.faceId)?.similarity ?? -1)) best.set(match.faceId, match)
  return best.values()
}
