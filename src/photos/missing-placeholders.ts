import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import type { Decoders } from './decoders.ts'
import { photosWithoutPlaceholder, setPlaceholders } from './queries.ts'
import { photoKey } from './renditions.ts'

interface Deps {
  db: Db
  storage: FileStorage
  decoders: Decoders
}

/** How many photos are read and written together. */
const AT_ONCE = 8
/** A run ends before the next one is due. */
const LONGEST_RUN_MS = 45_000

/** Makes the placeholders of photos that an older version of Inframe has stored. Runs every minute, and goes on where the
 *  last run ended. A photo without a readable thumbnail gets an empty one, and is not tried again.
 *  @throws AppError SERVICE_UNAVAILABLE while the storage or the decoders are unavailable */
export async function makeMissingPlaceholders(deps: Deps): Promise<void> {
  const end = Date.now() + LONGEST_RUN_MS
  while (Date.now() < end) {
    const photos = await photosWithoutPlaceholder(deps.db, AT_ONCE)
    if (photos.length === 0) return
    const made = await Promise.all(
      photos.map(async (photo) => ({ id: photo.id, placeholder: await placeholderFor(deps, photo) })),
    )
    await setPlaceholders(deps.db, made)
  }
}

type StoredPhoto = Awaited<ReturnType<typeof photosWithoutPlaceholder>>[number]

async function placeholderFor({ storage, decoders }: Deps, photo: StoredPhoto): Promise<Buffer> {
  const key = photoKey(photo.album_id, photo.sha256, 'thumb')
  try {
    return await decoders.placeholder(() => storage.read(key), photo.album_id)
  } catch (error) {
    if (error instanceof AppError && error.code !== 'SERVICE_UNAVAILABLE') return Buffer.alloc(0)
    throw error
  }
}
