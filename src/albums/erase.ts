import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { Remains } from '../contract/albums.ts'
import type { Trx } from '../database/client.ts'
import type { JobSender } from '../database/jobs.ts'
import type { Album, Erasure } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import type { Keyring } from '../keyring.ts'
import { detachLetters } from '../letters/queries.ts'
import { albumNotFound, type OwnedAlbum, requireSameOwner } from './access.ts'
import { deleteAlbum, findErasure, insertErasure, recordRemains } from './erasure-queries.ts'
import {
  type ErasedAlbum,
  findRemains,
  type RemovalDeps,
  removeRemains,
  whileAvailable,
} from './remove-remains.ts'
import { hashesOfSlug } from './slug.ts'

/** After this long, every request that was running at the time of the erasure has ended. */
const ERASE_AGAIN_SECONDS = 900
/** What an album may have to be deleted before the call is answered. That takes a second or two. */
const DELETED_AT_ONCE = { photos: 200, faces: 5_000 }

interface Deps extends RemovalDeps {
  jobs: JobSender
  keyring: Keyring
}

/** Erases an album, or says what remains of an erased one. One transaction deletes the album's row, so that nobody finds
 *  or changes the album any more, and sends the jobs that delete everything else, also when this process ends early. A
 *  small album is then deleted before this returns.
 *  @param owned as it was when the caller's right was checked
 *  @param options.untilGone deletes a large album, too, before this returns
 *  @returns what remains, as the last check of all places found it. Before the first check of a large album, this is all
 *    that it had
 *  @throws AppError NOT_FOUND, CONFLICT when the album's owner key has changed */
export async function eraseAlbum(
  deps: Deps,
  owned: OwnedAlbum,
  by: Actor,
  { untilGone = false } = {},
): Promise<Remains> {
  const albumId = owned.id
  const erasure = await withAlbum(deps.db, albumId, (trx, album) =>
    beginErasure(trx, deps, { owned, album, by }),
  )
  if (erasure.finished_at) return remainsOf(erasure)
  const { photos, faces, engines, letters } = erasure
  const isLarge = photos > DELETED_AT_ONCE.photos || faces > DELETED_AT_ONCE.faces
  if (isLarge && !untilGone) return remainsOf(erasure)
  const erased = { albumId, engines, letters }
  const found = (await whileAvailable(() => removeRemains(deps, erased))) ?? (await findRemains(deps, erased))
  return remainsOf((await recordRemains(deps.db, albumId, found))!)
}

/** @returns the erasure that this call, or an earlier one, has begun */
async function beginErasure(
  trx: Trx,
  deps: Deps,
  { owned, album, by }: { owned: OwnedAlbum; album: Album | undefined; by: Actor },
): Promise<Erasure> {
  const albumId = owned.id
  if (!album) {
    const erasure = await findErasure(trx, { id: albumId })
    if (erasure?.owner_key_version !== owned.owner_key_version) throw albumNotFound()
    return erasure
  }
  requireSameOwner(album, owned)
  const engines = [...album.engines_to_clear, ...(album.engine ? [album.engine] : [])]
  // No letter can be added after this, because the album's row is locked and then deleted.
  const letters = await detachLetters(trx, { albumId })
  const slugHash = hashesOfSlug(deps.keyring, album.slug)[0]!
  const erasure = await insertErasure(trx, album, { slugHash, engines, letters })
  await deleteAlbum(trx, albumId)
  await sendErasure(deps.jobs, trx, { albumId, engines, letters })
  await recordEvent({ ...deps, db: trx }, { event: 'album erased', album, by })
  return erasure
}

/** Sends the jobs that delete the rest of an erased album: now, and again when no request or job can still write any. */
export async function sendErasure(jobs: JobSender, trx: Trx, erased: ErasedAlbum): Promise<void> {
  await jobs.send(trx, 'erase-album', [erased])
  await jobs.send(trx, 'erase-album', [erased], { afterSeconds: ERASE_AGAIN_SECONDS })
}

function remainsOf({ rows_remaining, files_remaining, faces_remaining }: Erasure): Remains {
  return {
    rowsRemaining: rows_remaining,
    filesRemaining: files_remaining,
    facesRemaining: faces_remaining,
  }
}
