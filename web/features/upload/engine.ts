import {
  BATCH_PAUSE_MS,
  BATCH_RETRY_DELAY_MS,
  BATCH_SIZE,
  PHOTO_MAX_BYTES,
} from '../../../src/contract/limits.ts'
import type { FileVerdict, UploadFields, UploadOutput } from '../../../src/contract/photos.ts'
import { upload as texts } from '../../../src/texts/english/upload.ts'
import { failureOf } from '../../lib/failure.ts'
import { patiently, type Waiting, waitAskedBy } from '../../lib/patience.ts'
import { pause } from '../../lib/pause.ts'
import type { UploadStop } from '../../lib/persisted.ts'
import type { ToastContent } from '../../ui/toast-store.ts'
import type { BlockedFile, Prepare } from './files.ts'

/** Batches count from 1. A batch loses the photos that cannot be sent. */
interface Batch {
  readonly number: number
  readonly photos: readonly File[]
  /** Why its last request failed. */
  readonly failure?: string
}

/** How far the sending of photos has come. */
export interface Transfer {
  readonly photosTotal: number
  /** Without the photos that were left out. */
  readonly bytesTotal: number
  /** The most that was ever sent: when a batch fails, the bar pauses instead of moving back. */
  readonly bytesSent: number
  /** Batches without an answer, in their order. */
  readonly open: readonly Batch[]
  /** Why nothing can be sent at the moment. */
  readonly waiting: Waiting | null
  /** Of every photo that was answered or left out. */
  readonly files: readonly FileVerdict[]
  /** Batches whose retry was answered. */
  readonly retriedBatches: number
  /** Why the upload ended before its last batch. */
  readonly stopped?: UploadStop
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
  prepare: Prepare
  signal: AbortSignal
}

/** What happens while photos are sent. */
export type EngineEvent =
  | { type: 'moved'; transfer: Transfer }
  /** These photos are in the album now. */
  | { type: 'stored'; photos: readonly File[] }
  /** A toast for the visitor (§8). */
  | { type: 'said'; toast: ToastContent }

/** The transfer before the first batch. */
export function startOf(photos: readonly File[]): Transfer {
  return {
    photosTotal: photos.length,
    bytesTotal: sizeOf(photos),
    bytesSent: 0,
    open: Array.from({ length: Math.ceil(photos.length / BATCH_SIZE) }, (_, index) => ({
      number: index + 1,
      photos: photos.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
    })),
    waiting: null,
    files: [],
    retriedBatches: 0,
  }
}

/** The bytes that photos are expected to take in a request. Photos above the limit are made smaller first. */
function sizeOf(photos: readonly File[]): number {
  return photos.reduce((bytes, photo) => bytes + Math.min(photo.size, PHOTO_MAX_BYTES), 0)
}

/** When the service asks for more time than this in all, waiting would not help. */
const LONGEST_WAIT_SECONDS = 600

/** Uploads photos as §7 says: in batches of 15, one after another, half a second apart, each within two minutes. Batches
 *  whose request failed are sent once more, two seconds after all others. The upload waits while the network is lost or
 *  the service asks for time; that does not count as a failure. A photo that cannot be read or made smaller fails alone.
 *  Rejects only when the signal is aborted, with its reason. */
export async function uploadInBatches(
  photos: readonly File[],
  { send, prepare, signal }: EngineOptions,
  say: (event: EngineEvent) => void,
): Promise<Transfer> {
  let transfer = startOf(photos)
  /** Batches whose photos the service may have stored, although no answer has come. */
  const unanswered = new Set<number>()

  function move(change: Partial<Transfer>): void {
    transfer = { ...transfer, ...change }
    say({ type: 'moved', transfer })
  }
  const tell = (title: string, description: string, tone: ToastContent['tone']) =>
    say({ type: 'said', toast: { title, description, tone } })

  /** Sends each open batch. One that fails stays open. */
  async function pass(isRetry: boolean): Promise<void> {
    const batches = transfer.open
    for (const [index, { number, photos: all }] of batches.entries()) {
      if (index > 0) await pause(BATCH_PAUSE_MS, signal)
      const fields = {
        totalIntendedPhotos: photos.length,
        batchNumber: number,
        totalBatches: batches.length,
      }
      try {
        const stored = await patiently(() => sendBatch(number, isRetry ? undefined : fields), {
          signal,
          onWait: (waiting) => move({ waiting }),
          longestSeconds: LONGEST_WAIT_SECONDS,
          waitsForNetwork: true,
        })
        if (!isRetry || stored === undefined) continue
        move({ retriedBatches: transfer.retriedBatches + 1 })
        tell(texts.batchRetried(number), texts.batchRetriedText(stored), 'success')
      } catch (error) {
        signal.throwIfAborted()
        const stopped = stopAfter(error)
        if (stopped) return move({ stopped })
        const failure = error instanceof Error ? error.message : String(error)
        move({
          open: transfer.open.map((batch) => (batch.number === number ? { ...batch, failure } : batch)),
        })
        if (isRetry) tell(texts.retryFailed(number), texts.retryFailedText(all.length), 'error')
        else tell(texts.batchFailed(number), texts.batchFailedText(failure.replace(/\.$/, '')), 'error')
      }
    }
  }

  /** @returns how many photos of a batch are in the album; undefined when none could be sent */
  async function sendBatch(number: number, fields: BatchRequest['fields']): Promise<number | undefined> {
    const [batch, next] = transfer.open.filter((one) => one.number >= number)
    if (batch?.number !== number) return undefined
    const prepared = await prepare(batch.photos, next?.photos ?? [])
    signal.throwIfAborted()
    const blocked = batch.photos.flatMap((file, index) => {
      const reason = prepared[index]
      return typeof reason === 'string' ? { file, reason } : []
    })
    if (blocked.length > 0) leaveOut(blocked)
    const ready = prepared.filter((file) => typeof file !== 'string')
    if (ready.length === 0) return undefined

    const originals = batch.photos.filter((_, index) => typeof prepared[index] !== 'string')
    const size = sizeOf(originals)
    const before = transfer.bytesTotal - sizeOf(transfer.open.flatMap((one) => one.photos))
    // A request is a little larger than its photos: it also has their names and boundaries.
    const sentWith = (bytes: number) => Math.max(transfer.bytesSent, before + Math.min(bytes, size))
    const answer = await send(
      { photos: ready, ...(fields && { fields }) },
      { signal, onSent: (bytes) => move({ bytesSent: sentWith(bytes) }) },
    ).catch((error) => {
      if (!failureOf(error)?.status) unanswered.add(number)
      throw error
    })
    const isNew = ({ status }: FileVerdict) => status === 'duplicate' && unanswered.has(number)
    const files = answer.files.map((file) => (isNew(file) ? { ...file, status: 'stored' as const } : file))
    move({
      bytesSent: sentWith(size),
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
      files: [...transfer.files, ...files.map(({ file, reason }) => refusedFile(file, reason))],
    })
  }

  await pass(false)
  if (transfer.open.length > 0 && !transfer.stopped) {
    say({ type: 'said', toast: { title: texts.retrying } })
    await pause(BATCH_RETRY_DELAY_MS, signal)
    await pass(true)
  }
  return transfer
}

export const refusedFile = ({ name }: File, message: string): FileVerdict => ({
  filename: name,
  status: 'refused',
  message,
})

/** Why the service will take no further batch; undefined when it may take others.
 *  409: the owner key has changed while the photos were on their way. */
function stopAfter(error: unknown): UploadStop | undefined {
  const status = failureOf(error)?.status ?? 0
  if ([401, 403, 404, 409, 410].includes(status)) return { reason: 'lost', message: texts.albumLost }
  return waitAskedBy(error) ? { reason: 'busy', message: texts.comeBackLater } : undefined
}
