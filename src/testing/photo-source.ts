import type { PhotoSource } from '../faces/face-index.ts'

/** A photo that exists only in memory. */
export function inMemory(bytes: Buffer): PhotoSource {
  return { read: async () => bytes }
}
