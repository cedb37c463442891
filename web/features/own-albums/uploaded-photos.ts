import { createStore, promisifyRequest } from 'idb-keyval'

/** Where this browser notes what it has uploaded: one record for each photo, under [album, path, size, date], and one for
 *  the upload under [album]. */
export const openStore = () => createStore('inframe-uploads', 'photos')

/** Lets photos of an album be uploaded again after some were deleted. */
export async function forgetUploads(ownerKey: string): Promise<void> {
  const album = albumKey(ownerKey)
  await openStore()('readwrite', (records) => {
    // The record of the upload stays.
    records.delete(IDBKeyRange.bound([album], [album, []], true))
    return promisifyRequest(records.transaction)
  })
}

/** Names an album in the store without its key. 64 bits (FNV-1a): enough for the albums of one browser, and far too few to
 *  reveal a key of 192 bits. */
export function albumKey(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(36)
}
