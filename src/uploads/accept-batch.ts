import { type OwnedAlbum, requireSameOwner, withOwnedAlbum } from '../albums/access.ts'
import { findAlbum } from '../albums/queries.ts'
import { countCall } from '../albums/rate-limits.ts'
import { restartFaces } from '../albums/reindex.ts'
import type { AppContext } from '../context.ts'
import type { FileVerdict, UploadFields, UploadOutput } from '../contract/photos.ts'
import type { Trx } from '../database/client.ts'
import type { Album, UploadRound } from '../database/schema.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { type AcceptedPhoto, acceptPhoto, type StagedFile } from '../photos/accept.ts'
import { insertPhotos, storedHashes } from '../photos/queries.ts'
import { photoKey } from '../photos/renditions.ts'
import { completeIfDone } from './finish.ts'
import {
  addToCounters,
  addToRound,
  closeRound,
  findOpenRound,
  insertRefusedFiles,
  insertRound,
  touchRound,
} from './queries.ts'
import { type AlbumContent, type AlbumQuota, contentOf, quotaFault } from './quota.ts'

/** What happened to a staged file. */
type FileOutcome =
  | ({ kind: 'accepted'; file: StagedFile } & AcceptedPhoto)
  | { kind: 'duplicate'; file: StagedFile }
  | { kind: 'refused'; file: StagedFile; error: AppError }

export interface BatchResult extends UploadOutput {
  /** The error of the whole answer; set when no file was kept. */
  failure?: AppError
}

/** Receives one batch. Every readable photo that fits into the album is stored once and its indexing begins. Every other
 *  file is refused with its reason. The album's upload round continues. A batch that is sent again changes nothing.
 *  @throws AppError TOO_MANY_REQUESTS; SERVICE_UNAVAILABLE while storage is unavailable, or when the owner has just deleted one of the photos: the
 *    client has to send the batch again; NOT_FOUND when the album has been erased, CONFLICT when its owner key has changed. */
export async function uploadBatch(
  deps: Pick<AppContext, 'albumQuota' | 'db' | 'decoders' | 'jobs' | 'keyring' | 'limits' | 'storage'>,
  owned: OwnedAlbum,
  fields: UploadFields,
  files: StagedFile[],
): Promise<BatchResult> {
  await countCall(deps, 'upload', { address: owned.id })
  const hashes = files.map((file) => file.sha256)
  const known = await storedHashes(deps.db, owned.id, hashes)
  const hasNewFile = files.some((file) => !known.has(file.sha256.toString('hex')))
  if (!hasNewFile) {
    // If an answer gets lost, the client sends the batch again, maybe after the round has ended. That opens no round.
    await withOwnedAlbum(deps.db, owned, (trx, album) => touchOpenRound(trx, album, fields))
    return { successful: files.length, failed: 0, files: files.map(duplicate) }
  }
  const album = await findAlbum(deps.db, owned)
  requireSameOwner(album, owned)
  const read = await acceptAll(deps, album, files, known)
  // What does not fit is not stored: nothing would delete it before the album.
  const accepted = refuseWhatDoesNotFit(album, deps.albumQuota, known, read)
  const kept = accepted.filter((outcome) => outcome.kind === 'accepted')
  await Promise.all(kept.map(({ store }) => store()))
  // If the album has been erased meanwhile, the last job of the erasure removes these files.
  const { outcomes, stored } = await withOwnedAlbum(deps.db, owned, (trx, locked) =>
    record(trx, deps, locked, fields, accepted),
  )
  return summarise(outcomes, stored)
}

/** Continues the album's open round. A batch may say how many photos will come in all.
 *  @param album locked by this transaction
 *  @returns undefined when no round is open */
async function touchOpenRound(
  trx: Trx,
  album: Album,
  fields: UploadFields,
): Promise<UploadRound | undefined> {
  const open = await findOpenRound(trx, album.id)
  return open && (await touchRound(trx, open.id, open.total ?? announced(album, fields)))
}

const announced = (album: Album, { totalIntendedPhotos }: UploadFields): number | null =>
  totalIntendedPhotos === undefined ? null : album.photos_stored + totalIntendedPhotos

/** Each distinct file is inspected once. The others with the same bytes get the same result. */
function acceptAll(
  deps: Pick<AppContext, 'albumQuota' | 'decoders' | 'storage'>,
  album: Album,
  files: StagedFile[],
  known: Set<string>,
): Promise<FileOutcome[]> {
  const firsts = new Map<string, Promise<FileOutcome>>()
  return Promise.all(
    files.map(async (file): Promise<FileOutcome> => {
      const hash = file.sha256.toString('hex')
      if (known.has(hash)) return { kind: 'duplicate', file }
      const first = firsts.get(hash)
      if (first) {
        const outcome = await first
        return outcome.kind === 'refused' ? { ...outcome, file } : { kind: 'duplicate', file }
      }
      // A file that certainly does not fit is not even read.
      const fault = quotaFault(deps.albumQuota, contentOf(album), file.size)
      if (fault) return { kind: 'refused', file, error: fault }
      const outcome = accept(deps, album.id, file)
      firsts.set(hash, outcome)
      return await outcome
    }),
  )
}

async function accept(
  deps: Pick<AppContext, 'decoders' | 'storage'>,
  albumId: string,
  file: StagedFile,
): Promise<FileOutcome> {
  try {
    return { kind: 'accepted', file, ...(await acceptPhoto(deps, albumId, file)) }
  } catch (error) {
    // A fault of storage is not the file's fault, so the client sends the whole batch again.
    if (error instanceof AppError && error.code !== 'SERVICE_UNAVAILABLE')
      return { kind: 'refused', file, error }
    throw error
  }
}

/** @param locked the album, locked by this transaction
 *  @returns what happened to the files in the end, and the hashes, in hex, of the photos that are new in the album. */
async function record(
  trx: Trx,
  deps: Pick<AppContext, 'albumQuota' | 'jobs' | 'keyring' | 'storage'>,
  locked: Album,
  fields: UploadFields,
  accepted: FileOutcome[],
): Promise<{ outcomes: FileOutcome[]; stored: Set<string> }> {
  const { jobs, albumQuota } = deps
  const albumId = locked.id
  // The page, or two quiet minutes, may have closed the round. Photos that arrive late open another.
  const round =
    (await touchOpenRound(trx, locked, fields)) ??
    (await insertRound(trx, albumId, announced(locked, fields)))
  const hashes = accepted.map(({ file }) => file.sha256)
  // Simultaneous requests may have filled the album, or have sent the same photos.
  const known = await storedHashes(trx, albumId, hashes)
  const outcomes = refuseWhatDoesNotFit(locked, albumQuota, known, accepted)
  const kept = outcomes.filter((outcome) => outcome.kind === 'accepted')
  if (kept.length > 0) await restartFaces(trx, jobs, locked)
  const inserted = await insertPhotos(
    trx,
    kept.map(({ photo }) => photo),
  )
  const album = await addToCounters(trx, albumId, {
    stored: inserted.length,
    bytes: inserted.reduce((sum, { size }) => sum + size, 0),
  })
  // The same photo was deleted a moment ago, and its files were removed after this request had stored them.
  const added = inserted.map(({ sha256 }) => sha256)
  const exist = await Promise.all(
    added.map((hash) => deps.storage.exists(photoKey(albumId, hash, 'original'))),
  )
  if (exist.includes(false)) throw justDeleted()
  await addToRound(trx, round.id, inserted.length)
  const payloads = inserted.map((photo) => ({ photoId: photo.id }))
  const backlog = locked.photos_stored - locked.photos_settled
  await jobs.send(trx, 'index-photos', payloads, { backlog })
  const refused = outcomes.filter((outcome) => outcome.kind === 'refused')
  await insertRefusedFiles(
    trx,
    round,
    refused.map(({ file, error }) => ({ filename: file.filename, reason: error.message })),
  )
  if (round.total !== null && album.photos_stored >= round.total) {
    await closeRound(trx, round.id)
    await completeIfDone(trx, deps, album)
  }
  return { outcomes, stored: new Set(added.map((hash) => hash.toString('hex'))) }
}

export const justDeleted = () =>
  new AppError('SERVICE_UNAVAILABLE', 'One of these photos was deleted a moment ago. Please send them again.')

/** Refuses the last photos of a batch that does not fit completely. Those that are stored already, because only simultaneous
 *  requests have filled the album, stay in storage until the album is erased: another request may have sent the same ones.
 *  @param known the hashes, in hex, of photos that are in the album */
function refuseWhatDoesNotFit(
  album: Album,
  quota: AlbumQuota,
  known: Set<string>,
  outcomes: FileOutcome[],
): FileOutcome[] {
  const accepted = outcomes.filter((outcome) => outcome.kind === 'accepted').map(({ photo }) => photo)
  const content: AlbumContent = contentOf(album)
  const faults = new Map<string, AppError>()
  for (const { sha256, size } of accepted) {
    const hash = sha256.toString('hex')
    if (known.has(hash)) continue
    const fault = quotaFault(quota, content, size)
    if (fault) faults.set(hash, fault)
    else {
      content.photos += 1
      content.bytes += size
    }
  }
  return outcomes.map((outcome) => {
    const error = faults.get(outcome.file.sha256.toString('hex'))
    return error ? { kind: 'refused', file: outcome.file, error } : outcome
  })
}

const duplicate = ({ filename }: StagedFile): FileVerdict => ({ filename, status: 'duplicate' })

function summarise(outcomes: FileOutcome[], stored: Set<string>): BatchResult {
  const files = outcomes.map((outcome): FileVerdict => {
    const { filename, sha256 } = outcome.file
    if (outcome.kind === 'refused') {
      const { message, reason } = outcome.error
      return { filename, status: 'refused', message, reason }
    }
    if (outcome.kind === 'duplicate' || !stored.has(sha256.toString('hex'))) return duplicate(outcome.file)
    return { filename, status: 'stored', message: outcome.note }
  })
  const errors = outcomes.filter((outcome) => outcome.kind === 'refused').map(({ error }) => error)
  const successful = files.length - errors.length
  const result = { successful, failed: errors.length, files }
  return successful > 0 ? result : { ...result, failure: failureOf(errors) }
}

/** The error of a batch in which no file was kept. Files refused with different codes give BAD_REQUEST. */
function failureOf(errors: AppError[]): AppError {
  const codes = new Set<ErrorCode>(errors.map((error) => error.code))
  const code = codes.size === 1 ? errors[0]!.code : 'BAD_REQUEST'
  const sentences = new Set(errors.map((error) => error.message))
  return sentences.size === 1 ? errors[0]! : noUsableFile(code)
}

export function noUsableFile(code: ErrorCode): AppError {
  return new AppError(code, 'None of these files could be used')
}
