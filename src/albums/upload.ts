import type { FileVerdict, UploadFields, UploadOutput } from '../contract/photos.ts'
import type { Db, Trx } from '../database/client.ts'
import type { Album, NewPhoto, UploadRound } from '../database/schema.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { acceptPhoto, type StagedFile } from '../photos/accept.ts'
import { insertPhotos, storedHashes } from '../photos/queries.ts'
import type { JobSender } from '../queues/job-sender.ts'
import { queues } from '../queues/queues.ts'
import type { FileStorage } from '../storage/file-storage.ts'
import { albumNotFound } from './access.ts'
import { completeIfDone } from './finish.ts'
import { addToCounters, lockAlbum } from './queries.ts'
import {
  addToRound,
  closeRound,
  findOpenRound,
  insertRefusedFiles,
  insertRound,
  touchRound,
} from './round-queries.ts'

interface Deps {
  db: Db
  storage: FileStorage
  jobs: JobSender
}

/** What happened to a staged file. */
type FileOutcome =
  | { kind: 'accepted'; file: StagedFile; photo: NewPhoto }
  | { kind: 'duplicate'; file: StagedFile }
  | { kind: 'refused'; file: StagedFile; error: AppError }

export interface BatchResult extends UploadOutput {
  /** The error of the whole answer; set when no file was kept. */
  failure?: AppError
}

/** Receives one batch. Every readable photo is stored once and its indexing begins. Every other file is refused with
 *  its reason. The album's upload round continues. A batch that is sent again changes nothing.
 *  @throws AppError SERVICE_UNAVAILABLE while storage is unavailable: the client has to send the batch again. */
export async function uploadBatch(
  deps: Deps,
  albumId: string,
  fields: UploadFields,
  files: StagedFile[],
): Promise<BatchResult> {
  const hashes = files.map((file) => file.sha256)
  const known = await storedHashes(deps.db, albumId, hashes)
  const hasNewFile = files.some((file) => !known.has(file.sha256.toString('hex')))
  // If an answer gets lost, the client sends the batch again, maybe after the round has ended. That opens no round.
  await deps.db.transaction().execute((trx) => continueRound(trx, albumId, fields, { mayOpen: hasNewFile }))
  const outcomes = await acceptAll(deps.storage, albumId, files, known)
  const stored = hasNewFile
    ? await deps.db.transaction().execute((trx) => record(trx, deps.jobs, albumId, fields, outcomes))
    : new Set<string>()
  return summarise(outcomes, stored)
}

/** Continues the album's open round, or opens one. A batch may say how many photos will come in all.
 *  @returns undefined when no round is open and none may be opened
 *  @throws AppError NOT_FOUND */
async function continueRound(
  trx: Trx,
  albumId: string,
  fields: UploadFields,
  { mayOpen }: { mayOpen: boolean },
): Promise<UploadRound | undefined> {
  const album = await lockAlbum(trx, albumId)
  if (!album) throw albumNotFound()
  const announced =
    fields.totalIntendedPhotos === undefined ? null : album.photos_stored + fields.totalIntendedPhotos
  const open = await findOpenRound(trx, albumId)
  if (open) return await touchRound(trx, open.id, open.total ?? announced)
  return mayOpen ? await insertRound(trx, albumId, announced) : undefined
}

/** Each distinct file is inspected once. The others with the same bytes get the same result. */
function acceptAll(
  storage: FileStorage,
  albumId: string,
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
      const outcome = accept(storage, albumId, file)
      firsts.set(hash, outcome)
      return await outcome
    }),
  )
}

async function accept(storage: FileStorage, albumId: string, file: StagedFile): Promise<FileOutcome> {
  try {
    return { kind: 'accepted', file, photo: await acceptPhoto(storage, albumId, file) }
  } catch (error) {
    // A fault of storage is not the file's fault, so the client sends the whole batch again.
    if (error instanceof AppError && error.code !== 'SERVICE_UNAVAILABLE')
      return { kind: 'refused', file, error }
    throw error
  }
}

/** @returns the hashes, in hex, of the photos that are new in the album. */
async function record(
  trx: Trx,
  jobs: JobSender,
  albumId: string,
  fields: UploadFields,
  outcomes: FileOutcome[],
): Promise<Set<string>> {
  // The page, or two quiet minutes, may have closed the round meanwhile. Photos that arrive late open another.
  const round = (await continueRound(trx, albumId, fields, { mayOpen: true }))!
  const inserted = await insertPhotos(
    trx,
    outcomes.flatMap((outcome) => (outcome.kind === 'accepted' ? [outcome.photo] : [])),
  )
  const album = await addToCounters(trx, albumId, { stored: inserted.length })
  await addToRound(trx, round.id, inserted.length)
  const payloads = inserted.map((photo) => ({ photoId: photo.id }))
  await jobs.send(trx, queues.indexPhotos, payloads)
  await insertRefusedFiles(
    trx,
    outcomes.flatMap((outcome) =>
      outcome.kind === 'refused'
        ? [
            {
              album_id: albumId,
              round_id: round.id,
              filename: outcome.file.filename,
              reason: outcome.error.message,
            },
          ]
        : [],
    ),
  )
  await closeWhenFull(trx, jobs, album, round)
  return new Set(inserted.map((photo) => photo.sha256.toString('hex')))
}

/** @param album locked by this transaction, with its current counters */
async function closeWhenFull(trx: Trx, jobs: JobSender, album: Album, round: UploadRound): Promise<void> {
  if (round.total === null || album.photos_stored < round.total) return
  await closeRound(trx, round.id)
  await completeIfDone(trx, jobs, album)
}

function summarise(outcomes: FileOutcome[], stored: Set<string>): BatchResult {
  const files = outcomes.map((outcome): FileVerdict => {
    const { filename, sha256 } = outcome.file
    if (outcome.kind === 'refused') return { filename, status: 'refused', message: outcome.error.message }
    const isNew = outcome.kind === 'accepted' && stored.has(sha256.toString('hex'))
    return { filename, status: isNew ? 'stored' : 'duplicate' }
  })
  const errors = outcomes.flatMap((outcome) => (outcome.kind === 'refused' ? [outcome.error] : []))
  const successful = files.length - errors.length
  const result = { successful, failed: errors.length, files }
  return successful > 0 ? result : { ...result, failure: failureOf(errors) }
}

/** The error of a batch in which no file was kept. Files refused with different codes give BAD_REQUEST. */
function failureOf(errors: AppError[]): AppError {
  const codes = new Set<ErrorCode>(errors.map((error) => error.code))
  const code = codes.size === 1 ? errors[0]!.code : 'BAD_REQUEST'
  const reasons = new Set(errors.map((error) => error.message))
  return reasons.size === 1 ? new AppError(code, errors[0]!.message) : noUsableFile(code)
}

export function noUsableFile(code: ErrorCode): AppError {
  return new AppError(code, 'None of these files could be used')
}
