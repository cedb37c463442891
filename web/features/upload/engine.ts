import { BATCH_PAUSE_MS, BATCH_RETRY_DELAY_MS, BATCH_SIZE } from '../../../src/contract/limits.ts'
import type { UploadFields, UploadOutput } from '../../../src/contract/photos.ts'
import { upload as texts } from '../../../src/texts/english/upload.ts'
import { failureOf } from '../../lib/failure.ts'
import { pause } from '../../lib/pause.ts'
import { type BlockedFile, mayBeUnreadable } from './files.ts'
import { type Connection, mayHaveTaken, patiently, UploadStopped } from './patience.ts'
import type { Prepare } from './shrink.ts'
import * as step from './transfer.ts'

/** One request: its photos, and the fields beside them. A retry has none, and no limit of time (§7). */
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

/** What happens while photos are sent. */
export type EngineEvent =
  | { type: 'moved'; transfer: step.Transfer }
  /** These photos are in the album now. */
  | { type: 'stored'; photos: readonly File[] }
  | { type: 'not shrunk'; files: readonly BlockedFile[] }
  | Announcement

/** What visitors are told meanwhile. `number` is that of a batch. */
export type Announcement =
  /** Its request failed; it waits for the retry pass. */
  | { type: 'batch failed'; number: number; message: string }
  | { type: 'retrying' }
  | { type: 'retried' | 'retry failed'; number: number; photos: number }

interface Run extends EngineOptions {
  transfer: step.Transfer
  /** The numbers of batches that the service may have taken, although it gave no clear answer. */
  readonly mayBeTaken: Set<number>
  readonly say: (event: EngineEvent) => void
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
  say: (event: EngineEvent) => void,
): Promise<step.UploadResult> {
  const run: Run = { ...options, transfer: step.startOf(photos), mayBeTaken: new Set(), say }
  try {
    if (photos.length === 0) await patient(run, run.check)
    await eachBatch(run, sendFirst)
    if (run.transfer.open.length > 0) {
      say({ type: 'retrying' })
      await pause(BATCH_RETRY_DELAY_MS, run.signal)
      await eachBatch(run, retry)
    }
  } catch (error) {
    if (!(error instanceof UploadStopped)) throw error
    move(run, step.stoppedBy(run.transfer, error))
  }
  return run.transfer.result
}

function move(run: Run, transfer: step.Transfer): void {
  run.transfer = transfer
  run.say({ type: 'moved', transfer })
}

async function eachBatch(
  run: Run,
  send: (run: Run, batch: step.Batch, all: readonly step.Batch[]) => Promise<void>,
): Promise<void> {
  const batches = run.transfer.open
  for (const [index, batch] of batches.entries()) {
    if (index > 0) await pause(BATCH_PAUSE_MS, run.signal)
    await send(run, batch, batches)
  }
}

/** A batch that fails stays open. */
async function sendFirst(run: Run, { number }: step.Batch, all: readonly step.Batch[]): Promise<void> {
  const totalIntendedPhotos = run.transfer.photosTotal
  const fields = { totalIntendedPhotos, batchNumber: number, totalBatches: all.length }
  const error = await failureOfBatch(run, number, fields)
  if (error) run.say({ type: 'batch failed', number, message: messageOf(error) })
}

async function retry(run: Run, { number, photos }: step.Batch): Promise<void> {
  const before = run.transfer
  const error = await failureOfBatch(run, number)
  const { result, bytesAnswered } = run.transfer
  if (!error && bytesAnswered > before.bytesAnswered) {
    move(run, { ...run.transfer, result: { ...result, retriedBatches: result.retriedBatches + 1 } })
    run.say({ type: 'retried', number, photos: result.successful - before.result.successful })
    return
  }
  giveUp(run, number, error)
  run.say({ type: 'retry failed', number, photos: photos.length })
}

/** What is left of a batch that failed twice counts as failed. */
function giveUp(run: Run, number: number, error: unknown): void {
  const reason = messageOf(error)
  const left = run.transfer.open.find((batch) => batch.number === number)?.photos ?? []
  const transfer = step.leftOut(run.transfer, number, step.reasonFor(left, reason), 'unsent')
  const refused = failureOf(error)?.foreignStatus ? { refusedInFront: reason } : {}
  move(run, { ...transfer, result: { ...transfer.result, ...refused } })
}

/** @returns why the batch was not sent, if so
 *  @throws when the whole upload has ended, and not only one batch has failed */
async function failureOfBatch(run: Run, number: number, fields?: BatchRequest['fields']): Promise<unknown> {
  try {
    await patient(run, () => sendReadable(run, number, fields))
    return undefined
  } catch (error) {
    run.signal.throwIfAborted()
    if (error instanceof UploadStopped) throw error
    return error
  }
}

/** Makes an attempt, and waits and tries again where `patiently` does. */
function patient(run: Run, attempt: () => Promise<unknown>): Promise<unknown> {
  const { connection, signal } = run
  const onWaiting = (waiting: step.Transfer['waiting']) => move(run, { ...run.transfer, waiting })
  return patiently(attempt, { connection, signal, onWaiting })
}

/** Sends the photos of a batch that can be read. Files are checked only after a failure, because checking each of
 *  them first would slow every upload down. */
async function sendReadable(run: Run, number: number, fields: BatchRequest['fields']): Promise<void> {
  for (;;) {
    const batch = step.nextRequest(run.transfer, number)
    if (!batch) return
    const start = Date.now()
    try {
      const photos = await filesOf(run, batch)
      if (!photos) continue
      const answer = await sendOnce(run, { photos, ...(fields && { fields }) })
      move(run, step.answered(run.transfer, batch, answer, run.mayBeTaken.has(number)))
      run.say({ type: 'stored', photos: step.storedPhotos(batch, answer) })
    } catch (error) {
      run.signal.throwIfAborted()
      move(run, step.sent(run.transfer, 0))
      if (mayHaveTaken(error)) run.mayBeTaken.add(number)
      if (mayBeUnreadable(error) && (await dropUnreadable(run, batch))) continue
      // In the first pass a lost connection means that the network is away.
      const isLostAgain = !fields && !run.connection.wasOffline(start)
      if (!isTooLarge(error, batch, isLostAgain)) throw error
      sendLess(run, batch)
    }
  }
}

function sendOnce(run: Run, request: BatchRequest): Promise<UploadOutput> {
  const size = step.sizeOf(request.photos)
  // A request is a little larger than its photos: it also has their names and boundaries.
  const onSent = (bytes: number) => move(run, step.sent(run.transfer, Math.min(bytes, size)))
  return run.send(request, { signal: run.signal, onSent })
}

/** Whether something in front of the service refuses a request of this size. A connection that is lost again, with a
 *  network, was ended by it. */
function isTooLarge(error: unknown, { photos }: step.Batch, isLostAgain: boolean): boolean {
  const { status, foreignStatus } = failureOf(error) ?? { status: -1, foreignStatus: 0 }
  return foreignStatus === 413 || (isLostAgain && photos.length > 1 && status + foreignStatus === 0)
}

/** Later requests have half as many photos. A single photo cannot be halved: it is left out. */
function sendLess(run: Run, { number, photos }: step.Batch): void {
  if (photos.length > 1) move(run, { ...run.transfer, photosAtOnce: Math.ceil(photos.length / 2) })
  else move(run, step.leftOut(run.transfer, number, step.reasonFor(photos, texts.tooLargeInFront)))
}

/** @returns the files to send for a batch; null when some of its photos cannot be sent and were taken out of it */
async function filesOf(run: Run, batch: step.Batch): Promise<File[] | null> {
  const open = run.transfer.open.flatMap(({ number, photos }) => (number < batch.number ? [] : photos))
  const { length } = batch.photos
  const files = await run.prepare(batch.photos, open.slice(length, length + BATCH_SIZE))
  run.signal.throwIfAborted()
  const reasons = new Map<File, string>()
  for (const [index, file] of files.entries())
    if (typeof file === 'string') reasons.set(batch.photos[index]!, file)
  if (reasons.size === 0) return files as File[]
  // A file that is gone from the disk cannot be opened either.
  if (await dropUnreadable(run, batch)) return null
  move(run, step.leftOut(run.transfer, batch.number, reasons))
  run.say({ type: 'not shrunk', files: [...reasons].map(([file, reason]) => ({ file, reason })) })
  return null
}

/** @returns whether the batch had photos that can no longer be read */
async function dropUnreadable(run: Run, batch: step.Batch): Promise<boolean> {
  const answers = await Promise.all(batch.photos.map(run.isReadable))
  run.signal.throwIfAborted()
  const reasons = step.reasonFor(
    batch.photos.filter((_, index) => !answers[index]),
    texts.unreadable,
  )
  if (reasons.size === 0) return false
  move(run, step.leftOut(run.transfer, batch.number, reasons, 'unsent', 'unreadable'))
  return true
}

function messageOf(error: unknown): string {
  const { foreignStatus } = failureOf(error) ?? {}
  if (foreignStatus) return texts.refusedInFront(foreignStatus)
  return error instanceof Error ? error.message : String(error)
}
