import { randomUUID } from 'node:crypto'
import type { FaceIndex, FaceMatch, IndexedFace, PersonSearch } from '../faces/face-index.ts'

/** A face as an engine gives it for a photo. */
export function indexedFace(): IndexedFace {
  return {
    faceId: randomUUID(),
    box: { left: 0.1, top: 0.2, width: 0.3, height: 0.4 },
    confidence: 99,
    quality: { sharpness: 90, brightness: 70, yaw: -12.5, pitch: 4, roll: 3 },
  }
}

/** An engine of which a test needs only some parts. */
export const faceIndexWith = (parts: Partial<FaceIndex>): FaceIndex =>
  ({ engine: 'embedded', prepare() {}, check: async () => {}, close: async () => {}, ...parts }) as FaceIndex

/** A face that an engine has found. */
export function match(photoId: string, similarity: number): FaceMatch {
  return { faceId: randomUUID(), photoId, similarity }
}

/** The answer of an engine that has no doubt. */
export function surelyFound(albums: Iterable<[albumId: string, sure: FaceMatch[]]>): PersonSearch {
  return {
    found: new Map([...albums].map(([albumId, sure]) => [albumId, { sure, possible: [] }])),
    selfies: [],
  }
}
