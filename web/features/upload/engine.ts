import {
  BATCH_PAUSE_MS,
  BATCH_RETRY_DELAY_MS,
  BATCH_SIZE,
  BATCH_TIMEOUT_MS,
} from '../../../src/contract/limits.ts'
import type { UploadFields, UploadOutput } from '../../../src/contract/photos.ts'
import { failures as failureTexts } from '../../../src/texts/english/common.ts'
import { upload as texts } from '../../../src/texts/english/upload.ts'
import { failureOf, RequestFailure } from '../../lib/failure.ts'
import { pause } from '../../lib/pause.ts'
import { mayBeUnreadable } from './files.ts'
import { type Connection, patiently, UploadStopped } from './patience.ts'
import { NotShrunk, type Prepare } from './shrink.ts'
import {
  advance,
  type Batch,
  nextRequest,
  sizeOf,
  startOf,
  type Transfer,
  type TransferEvent,
  type UploadResult,
} from './transfer.ts'

/** One request: its photos, and the fields beside them (§7: a retry has none). */
export interface BatchRequest {
  photos: readonly File[]
  fields?: Required<UploadFields>
}

/** What an upload needs from the world around it. */
export interface EngineOptions {
  /** Sends one batch and gives the service's answer, also when every file of it was refused. Rejects when the request
   *  failed: then the same batch can be sent again. */
  send(
    request: BatchRequest,
    options: { signal: AbortSignal; onSent: (bytes: number) => void },
  ): Promise<UploadOutput>
  /** Asks the service about the album. Rejects when it has been erased. */
  check(): Promise<unknown>
  /** Whether the file can still be read as it was when it was chosen. */
  isReadable(photo: File): Promise<boolean>
  /** Makes a smaller copy of each photo that is too large for the service. */
  prepare: Prepare
  connection: Connection
  signal: AbortSignal
}

interface Run extends EngineOptions {
  transfer: Transfer
  /** The numbers of batches that the service may have taken, although it gave no clear answer. */
  readonly mayBeTaken: Set<number>
  readonly say: (event: TransferEvent) => void
}

/** Uploads photos as §7 says: in batches of 15, one after another, half a second apart, each within two minutes. Batches
 *  whose request failed are sent once more, two seconds after all others. The upload waits while the network is lost or
 *  the service asks for time; that does not count as a failure. A photo that can no longer be read, or cannot be made
 *  smaller, fails alone; the rest of its batch is sent at once. Where something in front of the service refuses a request
 *  of this size, or ends it twice, its photos go in halves, down to one photo. Without photos it asks whether the album
 *  still exists. Rejects only when the signal is aborted, with its reason, or for a fault of the check. */
export async function uploadInBatches(
  photos: readonly File[],
  options: EngineOptions,
  say: (event: TransferEvent) => void,
): Promise<UploadResult> {
  const run: Run = { ...options, transfer: startOf(photos), mayBeTaken: new Set(), say }
  try {
    if (photos.length === 0) await patient(run, run.check)
    await sendAll(run)
    await retryFailed(run)
  } catch (error) {
    if (!(error instanceof UploadStopped)) throw error
    tell(run, { type: 'stopped', stopped: error })
  }
  return run.transfer.result
}

function tell(run: Run, event: TransferEvent): void {
  run.transfer = advance(run.transfer, event)
  run.say(event)
}

/** Makes an attempt, and waits and tries again where `patiently` does. */
function patient<Answer>(run: Run, attempt: () => Promise<Answer>): Promise<Answer> {
  const { connection, signal } = run
  return patiently(attempt, {
    connection,
    signal,
    onWaiting: (waiting) => tell(run, { type: 'waiting', waiting }),
  })
}

/** Batches that failed stay open. */
async function sendAll(run: Run): Promise<void> {
  const { photosTotal, open: batches } = run.transfer
  for (const { number } of batches) {
    if (number > 1) await pause(BATCH_PAUSE_MS, run.signal)
    const fields = { totalIntendedPhotos: photosTotal, batchNumber: number, totalBatches: batches.length }
    try {
      await patient(run, () => sendReadable(run, number, { fields, timeoutMs: BATCH_TIMEOUT_MS }))
    } catch (error) {
      throwIfOver(error, run.signal)
      tell(run, { type: 'batch failed', number, message: messageOf(error) })
    }
  }
}

async function retryFailed(run: Run): Promise<void> {
  const failed = run.transfer.open
  if (failed.length === 0) return
  tell(run, { type: 'retrying' })
  await pause(BATCH_RETRY_DELAY_MS, run.signal)
  for (const [index, batch] of failed.entries()) {
    if (index > 0) await pause(BATCH_PAUSE_MS, run.signal)
    await retryBatch(run, batch)
  }
}

async function retryBatch(run: Run, { number, photos: { length } }: Batch): Promise<void> {
  const before = run.transfer
  try {
    await patient(run, () => sendReadable(run, number, { timeoutMs: null }))
    if (run.transfer.bytesAnswered === before.bytesAnswered)
      return tell(run, { type: 'retry failed', number, photos: length })
    const photos = run.transfer.result.successful - before.result.successful
    tell(run, { type: 'retried', number, photos })
  } catch (error) {
    throwIfOver(error, run.signal)
    const inFront = Boolean(failureOf(error)?.foreignStatus)
    tell(run, { type: 'retry failed', number, photos: length, reason: messageOf(error), inFront })
  }
}

interface Request {
  fields?: BatchRequest['fields']
  /** Null: no limit. */
  timeoutMs: number | null
}

/** Sends the photos of a batch that can be read. Files are checked only after a failure, because checking each of
 *  them first would slow every upload down. */
async function sendReadable(run: Run, number: number, request: Request): Promise<void> {
  for (;;) {
    const batch = nextRequest(run.transfer, number)
    if (!batch) return
    const start = Date.now()
    try {
      const files = await filesOf(run, batch)
      if (!files) continue
      const answer = await sendOnce(run, files, request)
      tell(run, { type: 'answered', batch, answer, mayBeRepeated: run.mayBeTaken.has(number) })
    } catch (error) {
      run.signal.throwIfAborted()
      if (mayHaveTaken(error)) run.mayBeTaken.add(number)
      if (mayBeUnreadable(error) && (await dropUnreadable(run, batch))) continue
      // In the first pass a lost connection means that the network is away.
      const isLostAgain = request.timeoutMs === null && !run.connection.wasOffline(start)
      if (!isTooLarge(error, batch, isLostAgain)) throw error
      tell(run, { type: 'too large', batch })
    }
  }
}

/** Whether something in front of the service refuses a request of this size. A connection that is lost again, with a
 *  network, was ended by it. */
function isTooLarge(error: unknown, { photos }: Batch, isLostAgain: boolean): boolean {
  const { status, foreignStatus } = failureOf(error) ?? { status: -1, foreignStatus: 0 }
  return foreignStatus === 413 || (isLostAgain && photos.length > 1 && status + foreignStatus === 0)
}

/** @returns the files to send for a batch; null when some of its photos cannot be sent and were taken out of it */
async function filesOf(run: Run, batch: Batch): Promise<File[] | null> {
  const open = run.transfer.open.flatMap(({ number, photos }) => (number < batch.number ? [] : photos))
  const { length } = batch.photos
  const files = await run.prepare(batch.photos, open.slice(length, length + BATCH_SIZE))
  run.signal.throwIfAborted()
  const failures = new Map<File, string>()
  for (const [index, file] of files.entries())
    if (file instanceof NotShrunk) failures.set(batch.photos[index]!, file.message)
  if (failures.size === 0) return files as File[]
  // A file that is gone from the disk cannot be opened either.
  if (!(await dropUnreadable(run, batch))) tell(run, { type: 'not shrunk', batch, failures })
  return null
}

function sendOnce(run: Run, photos: readonly File[], { fields, timeoutMs }: Request): Promise<UploadOutput> {
  const size = sizeOf(photos)
  // A request is a little larger than its photos: it also has their names and boundaries.
  const onSent = (bytes: number) => tell(run, { type: 'sent', bytes: Math.min(bytes, size) })
  return withTimeout(timeoutMs, run.signal, (signal) =>
    run.send({ photos, ...(fields && { fields }) }, { signal, onSent }),
  )
}

/** Runs work with a signal that is aborted when the given one is, or when the time is up: then the reason is a
 *  RequestFailure, because no answer came. */
async function withTimeout<Answer>(
  ms: number | null,
  signal: AbortSignal,
  work: (limit: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  if (ms === null) return work(signal)
  signal.throwIfAborted()
  const limit = new AbortController()
  const late = new RequestFailure(failureTexts.noAnswerWithin(ms / 1000), 0)
  const timer = setTimeout(() => limit.abort(late), ms)
  const stop = () => limit.abort(signal.reason)
  signal.addEventListener('abort', stop)
  try {
    return await work(limit.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

/** @returns whether the batch had photos that can no longer be read */
async function dropUnreadable(run: Run, batch: Batch): Promise<boolean> {
  const answers = await Promise.all(batch.photos.map(run.isReadable))
  run.signal.throwIfAborted()
  const photos = batch.photos.filter((_, index) => !answers[index])
  if (photos.length > 0) tell(run, { type: 'unreadable', batch, photos })
  return photos.length > 0
}

/** Throws when the whole upload has ended, and not only one batch has failed. */
function throwIfOver(error: unknown, signal: AbortSignal): void {
  signal.throwIfAborted()
  if (error instanceof UploadStopped) throw error
}

/** Whether the service may have stored photos of a request that failed. A refusal, or 503, says that it has not. */
function mayHaveTaken(error: unknown): boolean {
  const failure = failureOf(error)
  const status = failure?.status || failure?.foreignStatus || 0
  return status !== 503 && (status < 400 || status > 499)
}

function messageOf(error: unknown): string {
  const { foreignStatus } = failureOf(error) ?? {}
  if (foreignStatus) return texts.refusedInFront(foreignStatus)
  return error instanceof Error ? error.message : String(error)
}
