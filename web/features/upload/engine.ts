import {
  BATCH_PAUSE_MS,
  BATCH_RETRY_DELAY_MS,
  BATCH_SIZE,
  BATCH_TIMEOUT_MS,
} from '../../../src/contract/limits.ts'
import type { FileVerdict, UploadFields, UploadOutput } from '../../../src/contract/photos.ts'
import type { Connection } from './connection.ts'
import { patiently, UploadStopped, type Waiting } from './patience.ts'
import { mayBeUnreadable, NO_LONGER_READABLE } from './readable.ts'
import { pause, withTimeout } from './timing.ts'

/** One request: its photos, and the fields beside them (§7: a retry has none). */
export interface BatchRequest {
  photos: readonly File[]
  fields?: Required<UploadFields>
}

export interface EngineEvents {
  /** A batch's request failed; it waits for the retry pass. Batches count from 1. */
  onBatchFailed(batch: number, message: string): void
  onRetryStarted(): void
  onBatchRetried(batch: number, photos: number): void
  onBatchRetryFailed(batch: number, photos: number): void
  onProgress(progress: UploadProgress): void
  /** These photos are in the album now. */
  onStored(photos: readonly File[]): void
  /** Nothing can be sent at the moment; null: it goes on. */
  onWaiting(waiting: Waiting | null): void
}

export interface UploadProgress {
  /** Photos whose fate is known, refused ones included. */
  photosDone: number
  photosTotal: number
  bytesSent: number
  /** Without photos that turned out to be unreadable. */
  bytesTotal: number
}

export interface UploadResult {
  successful: number
  /** Refused by the service, never answered for, or no longer to be read. */
  failed: number
  retriedBatches: number
  files: FileVerdict[]
  /** The photos that the service has not answered for; sending them again is worth a try. */
  unsent: File[]
  /** Those of them that can no longer be read: they have to be chosen again first. */
  unreadable: File[]
  /** Set when the upload ended before its last batch. */
  stopped?: UploadStopped
}

/** Sends one batch and gives the service's answer, also when it refused every file for a reason of the
 *  file's own. Rejects when the request failed; then the same batch may pass a second time. */
export type SendBatch = (
  request: BatchRequest,
  options: { signal: AbortSignal; onSent: (bytes: number) => void },
) => Promise<UploadOutput>

export interface EngineOptions {
  signal: AbortSignal
  connection: Connection
  /** Whether the file can still be read as it was when it was chosen. */
  isReadable(photo: File): Promise<boolean>
}

interface Batch {
  number: number
  /** Fewer after some turned out to be unreadable. */
  photos: readonly File[]
}

/** Uploads photos as §7 has it: batches of 15, one after another, half a second apart, each within two
 *  minutes; those whose request failed once more after two seconds, when all others are through. A lost
 *  network and a service that asks to wait are waited for, and are no failures. A photo that can no longer be
 *  read fails alone; the rest of its batch is sent at once.
 *  Rejects only when the signal is aborted, with its reason. */
export async function uploadInBatches(
  photos: readonly File[],
  send: SendBatch,
  events: EngineEvents,
  { signal, connection, isReadable }: EngineOptions,
): Promise<UploadResult> {
  const batches = inBatches(photos)
  const result: UploadResult = {
    successful: 0,
    failed: 0,
    retriedBatches: 0,
    files: [],
    unsent: [],
    unreadable: [],
  }
  const unsettled = new Set(batches)
  let bytesTotal = sizeOf(photos)
  let bytesSettled = 0

  const report = (bytesInFlight = 0) =>
    events.onProgress({
      photosDone: result.files.length,
      photosTotal: photos.length,
      bytesSent: bytesSettled + bytesInFlight,
      bytesTotal,
    })

  const settle = (batch: Batch, answer: UploadOutput) => {
    unsettled.delete(batch)
    result.successful += answer.successful
    result.failed += answer.failed
    result.files.push(...answer.files)
    bytesSettled += sizeOf(batch.photos)
    events.onStored(batch.photos.filter((_, index) => isStored(answer.files[index])))
    report()
  }

  const fail = (failed: readonly File[]) => {
    result.failed += failed.length
    result.unsent.push(...failed)
  }

  const giveUp = (batch: Batch) => {
    unsettled.delete(batch)
    fail(batch.photos)
  }

  /** Takes the photos that can no longer be read out of a batch. @returns whether there were any. */
  const dropUnreadable = async (batch: Batch): Promise<boolean> => {
    const answers = await Promise.all(batch.photos.map(isReadable))
    signal.throwIfAborted()
    const gone = batch.photos.filter((_, index) => !answers[index])
    if (gone.length === 0) return false
    batch.photos = batch.photos.filter((_, index) => answers[index])
    fail(gone)
    result.unreadable.push(...gone)
    result.files.push(...gone.map((photo) => refused(photo, NO_LONGER_READABLE)))
    bytesTotal -= sizeOf(gone)
    report()
    return true
  }

  /** Photos are looked at only after a failure: it costs nothing as long as all is well. */
  const sendReadable = async (
    batch: Batch,
    fields: BatchRequest['fields'],
    timeoutMs: number | null,
  ): Promise<UploadOutput> => {
    while (batch.photos.length > 0) {
      const size = sizeOf(batch.photos)
      // What is on the wire is a little more than the photos: their names and boundaries.
      const onSent = (bytes: number) => report(Math.min(bytes, size))
      const request = { photos: batch.photos, ...(fields && { fields }) }
      try {
        return await withTimeout(timeoutMs, signal, (limit) => send(request, { signal: limit, onSent }))
      } catch (error) {
        signal.throwIfAborted()
        if (!mayBeUnreadable(error) || !(await dropUnreadable(batch))) throw error
      }
    }
    return { successful: 0, failed: 0, files: [] }
  }

  const attempt = async (batch: Batch, fields: BatchRequest['fields'], timeoutMs: number | null) => {
    const answer = await patiently(() => sendReadable(batch, fields, timeoutMs), {
      connection,
      signal,
      onWaiting(waiting) {
        // What was on the wire is lost.
        if (waiting) report()
        events.onWaiting(waiting)
      },
    })
    settle(batch, answer)
  }

  const sendAll = async (): Promise<Batch[]> => {
    const queued: Batch[] = []
    for (const batch of batches) {
      if (batch.number > 1) await pause(BATCH_PAUSE_MS, signal)
      try {
        const fields = {
          totalIntendedPhotos: photos.length,
          batchNumber: batch.number,
          totalBatches: batches.length,
        }
        await attempt(batch, fields, BATCH_TIMEOUT_MS)
      } catch (error) {
        throwIfOver(error, signal)
        queued.push(batch)
        report()
        events.onBatchFailed(batch.number, messageOf(error))
      }
    }
    return queued
  }

  const retry = async (queued: Batch[]): Promise<void> => {
    events.onRetryStarted()
    await pause(BATCH_RETRY_DELAY_MS, signal)
    for (const [index, batch] of queued.entries()) {
      if (index > 0) await pause(BATCH_PAUSE_MS, signal)
      const before = result.successful
      const count = batch.photos.length
      try {
        await attempt(batch, undefined, null)
        if (batch.photos.length === 0) {
          events.onBatchRetryFailed(batch.number, count)
          continue
        }
        result.retriedBatches += 1
        events.onBatchRetried(batch.number, result.successful - before)
      } catch (error) {
        throwIfOver(error, signal)
        giveUp(batch)
        const message = messageOf(error)
        result.files.push(...batch.photos.map((photo) => refused(photo, message)))
        report()
        events.onBatchRetryFailed(batch.number, count)
      }
    }
  }

  report()
  try {
    const queued = await sendAll()
    if (queued.length > 0) await retry(queued)
  } catch (error) {
    if (!(error instanceof UploadStopped)) throw error
    for (const batch of unsettled) giveUp(batch)
    result.stopped = error
  }
  return result
}

/** What ends the upload is no failure of a batch. */
function throwIfOver(error: unknown, signal: AbortSignal): void {
  signal.throwIfAborted()
  if (error instanceof UploadStopped) throw error
}

function isStored(verdict: FileVerdict | undefined): boolean {
  return verdict !== undefined && verdict.status !== 'refused'
}

function refused(photo: File, message: string): FileVerdict {
  return { filename: photo.name, status: 'refused', message }
}

function inBatches(photos: readonly File[]): Batch[] {
  return Array.from({ length: Math.ceil(photos.length / BATCH_SIZE) }, (_, index) => ({
    number: index + 1,
    photos: photos.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  }))
}

function sizeOf(photos: readonly File[]): number {
  return photos.reduce((bytes, photo) => bytes + photo.size, 0)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
