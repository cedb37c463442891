import {
  BATCH_PAUSE_MS,
  BATCH_RETRY_DELAY_MS,
  BATCH_SIZE,
  BATCH_TIMEOUT_MS,
} from '../../../src/contract/limits.ts'
import type { UploadFields, UploadOutput } from '../../../src/contract/photos.ts'
import { upload as texts } from '../../../src/texts/english.ts'
import { failureOf } from '../../lib/failure.ts'
import { pause } from '../../lib/pause.ts'
import type { Connection } from './connection.ts'
import { patiently, UploadStopped, type Waiting } from './patience.ts'
import type { Prepare } from './prepare-photos.ts'
import { mayBeUnreadable } from './readable.ts'
import { NotShrunk } from './shrink-photos.ts'
import { withTimeout } from './timing.ts'
import {
  type Batch,
  batchAnswered,
  batchGivenUp,
  openBatch,
  photosNotSent,
  photosUnreadable,
  progressOf,
  retrySucceeded,
  sizeOf,
  startOf,
  storedPhotos,
  type UploadProgress,
  type UploadResult,
  type UploadState,
  uploadStopped,
} from './upload-state.ts'

/** One request: its photos, and the fields beside them (§7: a retry has none). */
export interface BatchRequest {
  photos: readonly File[]
  fields?: Required<UploadFields>
}

export interface EngineEvents {
  /** A batch's request failed; it waits for the retry pass. */
  onBatchFailed(batch: number, message: string): void
  onRetryStarted(): void
  onBatchRetried(batch: number, photos: number): void
  onBatchRetryFailed(batch: number, photos: number): void
  onProgress(progress: UploadProgress): void
  /** These photos are in the album now. */
  onStored(photos: readonly File[]): void
  /** These photos cannot be made smaller, for these reasons. They are not uploaded. */
  onNotShrunk(failures: ReadonlyMap<File, string>): void
  /** Nothing can be sent at the moment. Null: the upload continues. */
  onWaiting(waiting: Waiting | null): void
}

/** Sends one batch and gives the service's answer, also when every file of it was refused. Rejects when the request
 *  failed: then the same batch can be sent again. */
export type SendBatch = (
  request: BatchRequest,
  options: { signal: AbortSignal; onSent: (bytes: number) => void },
) => Promise<UploadOutput>

export interface EngineOptions {
  signal: AbortSignal
  connection: Connection
  /** Whether the file can still be read as it was when it was chosen. */
  isReadable(photo: File): Promise<boolean>
  /** Makes a smaller copy of each photo that is too large for the service. */
  prepare: Prepare
}

/** An upload that is under way: its state, and everything that its steps need. */
interface Run extends EngineOptions {
  state: UploadState
  readonly send: SendBatch
  readonly events: EngineEvents
  /** The numbers of batches that the service may have taken, although it gave no clear answer. */
  readonly mayBeTaken: Set<number>
  /** How many photos one request has at most. Something in front of the service may take only small requests. */
  photosAtOnce: number
}

/** Uploads photos as §7 says: in batches of 15, one after another, half a second apart, each within two
 *  minutes. Batches whose request failed are sent once more, two seconds after all others. The upload waits while
 *  the network is lost or the service asks for time; that does not count as a failure. A photo that can no longer be
 *  read, or cannot be made smaller, fails alone; the rest of its batch is sent at once. Where something in front of
 *  the service refuses a request of this size, or ends it twice, its photos go in halves, down to one photo.
 *  Rejects only when the signal is aborted, with its reason. */
export async function uploadInBatches(
  photos: readonly File[],
  send: SendBatch,
  events: EngineEvents,
  options: EngineOptions,
): Promise<UploadResult> {
  const run: Run = {
    ...options,
    send,
    events,
    state: startOf(photos),
    mayBeTaken: new Set(),
    photosAtOnce: BATCH_SIZE,
  }
  report(run)
  try {
    await sendAll(run)
    await retryFailed(run)
  } catch (error) {
    if (!(error instanceof UploadStopped)) throw error
    run.state = uploadStopped(run.state, error)
  }
  return run.state.result
}

/** A batch whose request fails stays open. */
async function sendAll(run: Run): Promise<void> {
  const { photosTotal, open: batches } = run.state
  for (const { number } of batches) {
    if (number > 1) await pause(BATCH_PAUSE_MS, run.signal)
    const fields = { totalIntendedPhotos: photosTotal, batchNumber: number, totalBatches: batches.length }
    try {
      await sendPatiently(run, number, { fields, timeoutMs: BATCH_TIMEOUT_MS })
    } catch (error) {
      throwIfOver(error, run.signal)
      report(run)
      run.events.onBatchFailed(number, messageOf(error))
    }
  }
}

async function retryFailed(run: Run): Promise<void> {
  const failed = run.state.open
  if (failed.length === 0) return
  run.events.onRetryStarted()
  await pause(BATCH_RETRY_DELAY_MS, run.signal)
  for (const [index, batch] of failed.entries()) {
    if (index > 0) await pause(BATCH_PAUSE_MS, run.signal)
    await retryBatch(run, batch)
  }
}

async function retryBatch(run: Run, { number, photos }: Batch): Promise<void> {
  const before = run.state
  try {
    await sendPatiently(run, number, { timeoutMs: null })
    if (run.state.bytesAnswered === before.bytesAnswered)
      return run.events.onBatchRetryFailed(number, photos.length)
    run.state = retrySucceeded(run.state)
    run.events.onBatchRetried(number, run.state.result.successful - before.result.successful)
  } catch (error) {
    throwIfOver(error, run.signal)
    // The state may have fewer photos of the batch than before the retry.
    const isInFront = Boolean(failureOf(error)?.foreignStatus)
    run.state = batchGivenUp(run.state, openBatch(run.state, number)!, messageOf(error), isInFront)
    report(run)
    run.events.onBatchRetryFailed(number, photos.length)
  }
}

interface Request {
  fields?: BatchRequest['fields']
  /** Null: no limit. */
  timeoutMs: number | null
}

/** Sends the photos of a batch. Waits, and sends what is left of it again, where `patiently` does. */
function sendPatiently(run: Run, number: number, request: Request): Promise<void> {
  return patiently(() => sendReadable(run, number, request), {
    connection: run.connection,
    signal: run.signal,
    onWaiting(waiting) {
      // Bytes without an answer no longer count as sent.
      if (waiting) report(run)
      run.events.onWaiting(waiting)
    },
  })
}

/** Sends the photos of a batch that can be read. Files are checked only after a failure, because checking each of
 *  them first would slow every upload down. */
async function sendReadable(run: Run, number: number, request: Request): Promise<void> {
  for (;;) {
    const open = openBatch(run.state, number)
    if (!open) return
    const batch = { number, photos: open.photos.slice(0, run.photosAtOnce) }
    const start = Date.now()
    try {
      const files = await filesOf(run, batch)
      if (!files) continue
      const answer = await sendOnce(run, files, request)
      run.state = batchAnswered(run.state, batch, answer, run.mayBeTaken.has(number))
      run.events.onStored(storedPhotos(batch, answer))
      report(run)
    } catch (error) {
      run.signal.throwIfAborted()
      if (mayHaveTaken(error)) run.mayBeTaken.add(number)
      if (mayBeUnreadable(error) && (await dropUnreadable(run, batch))) continue
      const wasCut = request.timeoutMs === null && !run.connection.wasOffline(start)
      if (!sendLess(run, batch, error, wasCut)) throw error
    }
  }
}

/** After a request that was too large for something in front of the service: halves the next requests. A single photo
 *  that is too large cannot be sent.
 *  @param wasCut whether a lost connection means that the request was ended, and not that the network is away
 *  @returns whether to go on with the batch */
function sendLess(run: Run, batch: Batch, error: unknown, wasCut: boolean): boolean {
  const { status, foreignStatus } = failureOf(error) ?? { status: -1, foreignStatus: 0 }
  const isTooLarge = foreignStatus === 413
  if (batch.photos.length > 1 && (isTooLarge || (wasCut && status + foreignStatus === 0))) {
    run.photosAtOnce = Math.ceil(batch.photos.length / 2)
    return true
  }
  if (!isTooLarge) return false
  run.state = photosNotSent(run.state, batch, new Map([[batch.photos[0]!, texts.tooLargeInFront]]))
  report(run)
  return true
}

/** @returns the files to send for a batch; null when some of its photos cannot be sent and were taken out of it */
async function filesOf(run: Run, batch: Batch): Promise<File[] | null> {
  const later = run.state.open.flatMap(({ number, photos }) => (number < batch.number ? [] : photos))
  const next = later.slice(batch.photos.length, batch.photos.length + BATCH_SIZE)
  const files = await run.prepare(batch.photos, next)
  run.signal.throwIfAborted()
  const failures = new Map<File, string>()
  for (const [index, file] of files.entries())
    if (file instanceof NotShrunk) failures.set(batch.photos[index]!, file.message)
  if (failures.size === 0) return files as File[]
  // A file that is gone from the disk cannot be opened either.
  if (await dropUnreadable(run, batch)) return null
  run.state = photosNotSent(run.state, batch, failures)
  run.events.onNotShrunk(failures)
  report(run)
  return null
}

function sendOnce(run: Run, photos: readonly File[], { fields, timeoutMs }: Request): Promise<UploadOutput> {
  const size = sizeOf(photos)
  // A request is a little larger than its photos: it also has their names and boundaries.
  const onSent = (bytes: number) => report(run, Math.min(bytes, size))
  return withTimeout(timeoutMs, run.signal, (signal) =>
    run.send({ photos, ...(fields && { fields }) }, { signal, onSent }),
  )
}

/** @returns whether the batch had photos that can no longer be read */
async function dropUnreadable(run: Run, batch: Batch): Promise<boolean> {
  const answers = await Promise.all(batch.photos.map(run.isReadable))
  run.signal.throwIfAborted()
  const gone = batch.photos.filter((_, index) => !answers[index])
  if (gone.length === 0) return false
  run.state = photosUnreadable(run.state, batch, gone)
  report(run)
  return true
}

function report({ state, events }: Run, bytesInFlight = 0): void {
  events.onProgress(progressOf(state, bytesInFlight))
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
