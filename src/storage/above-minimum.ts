import type { FileStorage } from './file-storage.ts'
import type { FreeDisk } from './free-disk.ts'

/** A storage on a disk that writes nothing new while the disk is almost full. A file that moves into it is on the
 *  disk already: there was room for it when it was written.
 *  @throws AppError SERVICE_UNAVAILABLE from `write` */
export function aboveMinimum(storage: FileStorage, freeDisk: FreeDisk): FileStorage {
  return {
    ...storage,
    async write(key, bytes, mediaType) {
      await freeDisk.require(bytes.length)
      await storage.write(key, bytes, mediaType)
    },
  }
}
