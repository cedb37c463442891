import type { PhotoSource } from '../faces/face-index.ts'

/** A photo that is nowhere but here. */
export function inMemory(bytes: Buffer): PhotoSource {
  return { read: async () => bytes }
}
