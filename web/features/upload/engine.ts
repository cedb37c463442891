import {
  BATCH_PAUSE_MS,
  BATCH_RETRY_DELAY_MS,
  BATCH_SIZE,
  PHOTO_MAX_BYTES,
} from '../../../src/contract/limits.ts'
import type { FileVerdict, UploadFields, UploadOutput } from '../../../src/contract/photos.ts'
import { upload as texts } from '../../../src/texts/english/upload.ts'
import { failureOf } from '../../lib/failure.ts'
import { pause } from '../../lib/pause.ts'
import type { ToastContent } from '../../ui/toast-store.ts'
import type { BlockedFile } from './files.ts'
import { type Connection, patiently, UploadStopped, type Waiting } from './patience.ts'
import type { Prepare } from './shrink.ts'

/** Batches count from 1. A batch loses the photos that cannot be sent. */
interface Batch {
  readonly number: number
  readonly photos: readonly File[]
}

/** How far the sending of photos has come. */
export interface Transfer {
  readonly photosTotal: number
  /** Without the photos that were left out. */
  readonly bytesTotal: number
  readonly bytesAnswered: number
  /** The most that was ever sent: when a batch fails, the bar pauses instead of moving back. */
  readonly bytesShown: number
  /** Batches that are neither answered nor given up, in their order. */
  readonly open: readonly Batch[]
  /** Why nothing can be sent at the moment. */
  readonly waiting: Waiting | null
  /** Of every photo that was answered, given up or left out. */
  readonly files: readonly FileVerdict[]
  /** Batches whose retry was answered. */
  readonly retriedBatches: number
  /** Photos without an answer, which can be sent again. */
  readonly unsent: number
  /** Why something in front of the service has refused a batch twice. */
  readonly refusedInFront: string | null
  /** Set when the upload ended before its last batch. Those batches stay open. */
  readonly stopped?: UploadStopped
}

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
  prepare: Prepare
  connection: Connection
  signal: AbortSignal
}

/** What happens while photos are sent. */
export type EngineEvent =
  | { type: 'moved'; transfer: Transfer }
  /** These photos are in the album now. */
  | { type: 'stored'; photos: readonly File[] }
  /** These cannot be sent. */
  | { type: 'blocked'; files: readonly BlockedFile[] }
  /** A toast for the visitor (§8). */
  | { type: 'said'; toast: ToastContent }

/** The transfer before the first batch. */
export function startOf(photos: readonly File[]): Transfer {
  return {
    photosTotal: photos.length,
    bytesTotal: sizeOf(photos),
    bytesAnswered: 0,
    bytesShown: 0,
    open: Array.from({ length: Math.ceil(photos.length / BATCH_SIZE) }, (_, index) => ({
      number: index + 1,
      photos: photos.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
    })),
    waiting: null,
    files: [],
    retriedBatches: 0,
    unsent: 0,
    refusedInFront: null,
  }
}

/** Photos that were answered, given up or left out. */
export function photosDone({ photosTotal, open }: Transfer): number {
  return photosTotal - open.reduce((count, { photos }) => count + photos.length, 0)
}

/** The bytes that photos are expected to take in a request. Photos above the limit are made smaller first. */
function sizeOf(photos: readonly File[]): number {
  return photos.reduce((bytes, photo) => bytes + Math.min(photo.size, PHOTO_MAX_BYTES), 0)
}

const refused = ({ file, reason }: BlockedFile): FileVerdict => ({
  filename: file.name,
  status: 'refused',
  message: reason,
})

/** Uploads photos as §7 says: in batches of 15, one after another, half a second apart, each within two minutes. Batches
 *  whose request failed are sent once more, two seconds after all others. The upload waits while the network is lost or
 *  the service asks for time; that does not count as a failure. A photo that cannot be read or made smaller fails alone.
 *  Without photos it asks whether the album still exists. Rejects only when the signal is aborted, with its reason, or for
 *  a fault of the check. */
export async function uploadInBatches(
  photos: readonly File[],
  options: EngineOptions,
  say: (event: EngineEvent) => void,
): Promise<Transfer> {
  const { connection, signal } = options
  let transfer = startOf(photos)
  /** Batches whose photos the service may have stored, although no answer has come. */
  const unanswered = new Set<number>()

  function move(change: Partial<Transfer>): void {
    transfer = { ...transfer, ...change }
    say({ type: 'moved', transfer })
  }
  const patient = <Answer>(attempt: () => Promise<Answer>) =>
    patiently(attempt, { connection, signal, onWaiting: (waiting) => move({ waiting }) })
  const tell = (title: string, description: string, tone: ToastContent['tone']) =>
    say({ type: 'said', toast: { title, description, tone } })

  /** Sends each open batch. One that fails stays open, and is given up in the retry. */
  async function pass(isRetry: boolean): Promise<void> {
    const batches = transfer.open
    for (const [index, batch] of batches.entries()) {
      if (index > 0) await pause(BATCH_PAUSE_MS, signal)
      const { number } = batch
      const fields = {
        totalIntendedPhotos: photos.length,
        batchNumber: number,
        totalBatches: batches.length,
      }
      try {
        const stored = await patient(() => sendBatch(number, isRetry ? undefined : fields))
        if (isRetry) endRetry(batch, stored)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof UploadStopped) throw error
        if (isRetry) giveUp(batch, error)
        else
          tell(texts.batchFailed(number), texts.batchFailedText(messageOf(error).replace(/\.$/, '')), 'error')
      }
    }
  }

  /** @param stored undefined when none of its photos could be sent */
  function endRetry({ number, photos }: Batch, stored: number | undefined): void {
    if (stored === undefined) tell(texts.retryFailed(number), texts.retryFailedText(photos.length), 'error')
    else {
      move({ retriedBatches: transfer.retriedBatches + 1 })
      tell(texts.batchRetried(number), texts.batchRetriedText(stored), 'success')
    }
  }

  function giveUp(batch: Batch, error: unknown): void {
    const reason = messageOf(error)
    const left = transfer.open.find(({ number }) => number === batch.number)?.photos ?? []
    leaveOut(left.map((file) => ({ file, reason })))
    const refusedInFront = failureOf(error)?.foreignStatus ? reason : transfer.refusedInFront
    move({ unsent: transfer.unsent + left.length, refusedInFront })
    endRetry(batch, undefined)
  }

  /** @returns how many photos of a batch are in the album; undefined when none could be sent */
  async function sendBatch(number: number, fields: BatchRequest['fields']): Promise<number | undefined> {
    const [batch, next] = transfer.open.filter((one) => one.number >= number)
    if (batch?.number !== number) return undefined
    const prepared = await options.prepare(batch.photos, next?.photos ?? [])
    signal.throwIfAborted()
    const blocked = batch.photos.flatMap((file, index) => {
      const reason = prepared[index]
      return typeof reason === 'string' ? { file, reason } : []
    })
    if (blocked.length > 0) {
      leaveOut(blocked)
      say({ type: 'blocked', files: blocked })
    }
    const ready = prepared.filter((file) => typeof file !== 'string')
    if (ready.length === 0) return undefined

    const originals = batch.photos.filter((_, index) => typeof prepared[index] !== 'string')
    const size = sizeOf(originals)
    // A request is a little larger than its photos: it also has their names and boundaries.
    const shownWith = (bytes: number) =>
      Math.max(transfer.bytesShown, transfer.bytesAnswered + Math.min(bytes, size))
    const answer = await options
      .send(
        { photos: ready, ...(fields && { fields }) },
        { signal, onSent: (bytes) => move({ bytesShown: shownWith(bytes) }) },
      )
      .catch((error) => {
        if (!failureOf(error)?.status) unanswered.add(number)
        throw error
      })
    // Those of an attempt without an answer are new as well.
    const isNew = ({ status }: FileVerdict) => status === 'duplicate' && unanswered.has(number)
    const files = answer.files.map((file) => (isNew(file) ? { ...file, status: 'stored' as const } : file))
    move({
      bytesShown: shownWith(size),
      bytesAnswered: transfer.bytesAnswered + size,
      open: transfer.open.filter((one) => one.number !== number),
      files: [...transfer.files, ...files],
    })
    const isStored = (_: File, index: number) => (answer.files[index]?.status ?? 'refused') !== 'refused'
    say({ type: 'stored', photos: originals.filter(isStored) })
    return answer.successful
  }

  /** These photos will not be sent. */
  function leaveOut(files: readonly BlockedFile[]): void {
    const gone = new Set(files.map(({ file }) => file))
    move({
      bytesTotal: transfer.bytesTotal - sizeOf([...gone]),
      open: transfer.open
        .map((batch) => ({ ...batch, photos: batch.photos.filter((photo) => !gone.has(photo)) }))
        .filter((batch) => batch.photos.length > 0),
      files: [...transfer.files, ...files.map(refused)],
    })
  }

  try {
    if (photos.length === 0) await patient(options.check)
    await pass(false)
    if (transfer.open.length > 0) {
      say({ type: 'said', toast: { title: texts.retrying } })
      await pause(BATCH_RETRY_DELAY_MS, signal)
      await pass(true)
    }
  } catch (error) {
    if (!(error instanceof UploadStopped)) throw error
    const left = transfer.open.flatMap((batch) => batch.photos)
    const files = left.map((file) => refused({ file, reason: texts.notSent }))
    move({ unsent: transfer.unsent + left.length, files: [...transfer.files, ...files], stopped: error })
  }
  return transfer
}

function messageOf(error: unknown): string {
  const { foreignStatus } = failureOf(error) ?? {}
  if (foreignStatus) return texts.refusedInFront(foreignStatus)
  return error instanceof Error ? error.message : String(error)
}
