import type { FaceMatch, PersonSearch } from '../faces/face-index.ts'

/** The answer of an engine that has no doubt. */
export function surelyFound(albums: Iterable<[albumId: string, sure: FaceMatch[]]>): PersonSearch {
  return {
    found: new Map([...albums].map(([albumId, sure]) => [albumId, { sure, possible: [] }])),
    selfies: [],
  }
}
