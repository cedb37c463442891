import { BATCH_SIZE, PHOTO_MAX_BYTES } from '../../../src/contract/limits.ts'
import type { FileVerdict, UploadOutput } from '../../../src/contract/photos.ts'
import { upload as texts } from '../../../src/texts/english/upload.ts'
import type { UploadStopped, Waiting } from './patience.ts'

/** Batches count from 1. A batch loses photos that cannot be read or made smaller. */
export interface Batch {
  readonly number: number
  readonly photos: readonly File[]
}

/** How far the sending of photos has come. */
export interface Transfer {
  readonly photosTotal: number
  /** Without the photos that turned out to be unreadable or impossible to make smaller. */
  readonly bytesTotal: number
  readonly bytesAnswered: number
  /** Bytes of the present request that are sent but not answered. */
  readonly bytesInFlight: number
  /** How many photos one request has at most. Something in front of the service may take only small requests. */
  readonly photosAtOnce: number
  /** Batches that are neither answered nor given up, in their order. */
  readonly open: readonly Batch[]
  readonly result: UploadResult
}

export interface UploadResult {
  readonly successful: number
  /** Photos that were refused, got no answer, or cannot be read or made smaller. */
  readonly failed: number
  /** Batches whose retry was answered. */
  readonly retriedBatches: number
  readonly files: readonly FileVerdict[]
  /** Those called duplicates whose batch was sent before without a clear answer: that attempt may have brought them. */
  readonly maybeNew: number
  /** Photos without an answer. Those not in `unreadable` can be sent again. */
  readonly unsent: readonly File[]
  /** The unsent photos that can no longer be read. They must be chosen again first. */
  readonly unreadable: readonly File[]
  /** Set when something in front of the service has refused a batch twice. */
  readonly refusedInFront?: string
  /** Set when the upload ended before its last batch. */
  readonly stopped?: UploadStopped
}

/** The photo that is being made smaller, of all that have to be. Numbers count from 1. */
export interface Preparing {
  number: number
  total: number
}

/** What happens while photos are sent. `number` is that of a batch. */
export type TransferEvent =
  | { type: 'sent'; bytes: number }
  /** `mayBeRepeated`: the service may have taken the same photos before. */
  | { type: 'answered'; batch: Batch; answer: UploadOutput; mayBeRepeated: boolean }
  /** Its request failed; it waits for the retry pass. */
  | { type: 'batch failed'; number: number; message: string }
  | { type: 'retrying' }
  | { type: 'retried'; number: number; photos: number }
  /** `reason` is missing when no photo of the batch was left. `inFront`: the service itself has not refused it. */
  | { type: 'retry failed'; number: number; photos: number; reason?: string; inFront?: boolean }
  | { type: 'unreadable'; batch: Batch; photos: readonly File[] }
  /** The reason of each photo that cannot be made smaller. */
  | { type: 'not shrunk'; batch: Batch; failures: ReadonlyMap<File, string> }
  /** Something in front of the service takes no request with these photos. */
  | { type: 'too large'; batch: Batch }
  | { type: 'preparing'; preparing: Preparing | null }
  /** Nothing can be sent at the moment. Null: the upload continues. */
  | { type: 'waiting'; waiting: Waiting | null }
  | { type: 'stopped'; stopped: UploadStopped }

/** The transfer before the first batch. */
export function startOf(photos: readonly File[]): Transfer {
  return {
    photosTotal: photos.length,
    bytesTotal: sizeOf(photos),
    bytesAnswered: 0,
    bytesInFlight: 0,
    photosAtOnce: BATCH_SIZE,
    open: Array.from({ length: Math.ceil(photos.length / BATCH_SIZE) }, (_, index) => ({
      number: index + 1,
      photos: photos.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
    })),
    result: {
      successful: 0,
      failed: 0,
      retriedBatches: 0,
      maybeNew: 0,
      files: [],
      unsent: [],
      unreadable: [],
    },
  }
}

export interface UploadProgress {
  /** Photos that were answered or given up. */
  photosDone: number
  photosTotal: number
  bytesSent: number
  bytesTotal: number
}

export function progressOf({ photosTotal, bytesTotal, open, ...bytes }: Transfer): UploadProgress {
  const photosOpen = open.reduce((count, { photos }) => count + photos.length, 0)
  const bytesSent = bytes.bytesAnswered + bytes.bytesInFlight
  return { photosDone: photosTotal - photosOpen, photosTotal, bytesSent, bytesTotal }
}

export function advance(transfer: Transfer, event: TransferEvent): Transfer {
  const { result } = transfer
  switch (event.type) {
    case 'sent':
      return { ...transfer, bytesInFlight: event.bytes }
    case 'waiting':
    case 'batch failed':
      return { ...transfer, bytesInFlight: 0 }
    case 'answered':
      return answered(transfer, event)
    case 'retried':
      return { ...transfer, result: { ...result, retriedBatches: result.retriedBatches + 1 } }
    case 'retry failed':
      return givenUp(transfer, event)
    case 'unreadable': {
      const failed = withFailed(result, event.photos, texts.unreadable)
      return {
        ...withoutPhotos(transfer, event.batch, event.photos),
        result: { ...failed, unreadable: [...failed.unreadable, ...event.photos] },
      }
    }
    case 'not shrunk': {
      let refused = result
      for (const [photo, reason] of event.failures) refused = withRefused(refused, [photo], reason)
      return { ...withoutPhotos(transfer, event.batch, [...event.failures.keys()]), result: refused }
    }
    case 'too large':
      return tooLarge(transfer, event.batch)
    case 'stopped': {
      // The open batches stay open, so that the progress shows how far the upload came.
      const unsent = transfer.open.flatMap(({ photos }) => photos)
      return {
        ...transfer,
        result: { ...withFailed(result, unsent, texts.notSent), stopped: event.stopped },
      }
    }
    default:
      return transfer
  }
}

function answered(transfer: Transfer, event: TransferEvent & { type: 'answered' }): Transfer {
  const { batch, answer, mayBeRepeated } = event
  const { result } = transfer
  const duplicates = answer.files.filter(({ status }) => status === 'duplicate').length
  return {
    ...transfer,
    bytesInFlight: 0,
    bytesAnswered: transfer.bytesAnswered + sizeOf(batch.photos),
    open: openWithout(transfer.open, batch.number, batch.photos),
    result: {
      ...result,
      successful: result.successful + answer.successful,
      failed: result.failed + answer.failed,
      files: [...result.files, ...answer.files],
      maybeNew: result.maybeNew + (mayBeRepeated ? duplicates : 0),
    },
  }
}

/** Later requests have half as many photos. A single photo cannot be halved: it is refused. */
function tooLarge(transfer: Transfer, batch: Batch): Transfer {
  const { length } = batch.photos
  if (length > 1) return { ...transfer, bytesInFlight: 0, photosAtOnce: Math.ceil(length / 2) }
  const result = withRefused(transfer.result, batch.photos, texts.tooLargeInFront)
  return { ...withoutPhotos(transfer, batch, batch.photos), result }
}

/** A batch failed twice: its photos count as failed. */
function givenUp(transfer: Transfer, event: TransferEvent & { type: 'retry failed' }): Transfer {
  const { number, reason, inFront } = event
  const batch = openBatch(transfer, number)
  if (!batch || reason === undefined) return transfer
  return {
    ...transfer,
    bytesInFlight: 0,
    open: openWithout(transfer.open, number, batch.photos),
    result: {
      ...withFailed(transfer.result, batch.photos, reason),
      ...(inFront && { refusedInFront: reason }),
    },
  }
}

/** @returns undefined when the batch is answered, given up, or has no photo left */
export function openBatch({ open }: Transfer, number: number): Batch | undefined {
  return open.find((batch) => batch.number === number)
}

/** What the next request of a batch has. @returns undefined when the batch is no longer open */
export function nextRequest(transfer: Transfer, number: number): Batch | undefined {
  const batch = openBatch(transfer, number)
  return batch && { number, photos: batch.photos.slice(0, transfer.photosAtOnce) }
}

/** Photos of a batch that are in the album according to the answer: stored now or before. */
export function storedPhotos({ photos }: Batch, { files }: UploadOutput): File[] {
  return photos.filter((_, index) => files[index] !== undefined && files[index].status !== 'refused')
}

/** The bytes that photos are expected to take in a request. Photos above the limit are made smaller first. */
export function sizeOf(photos: readonly File[]): number {
  return photos.reduce((bytes, photo) => bytes + Math.min(photo.size, PHOTO_MAX_BYTES), 0)
}

function withoutPhotos(transfer: Transfer, { number }: Batch, gone: readonly File[]): Transfer {
  return {
    ...transfer,
    bytesInFlight: 0,
    bytesTotal: transfer.bytesTotal - sizeOf(gone),
    open: openWithout(transfer.open, number, gone),
  }
}

/** A batch without photos is no longer open. */
function openWithout(open: readonly Batch[], number: number, gone: readonly File[]): Batch[] {
  return open.flatMap((batch) => {
    if (batch.number !== number) return batch
    const left = batch.photos.filter((photo) => !gone.includes(photo))
    return left.length > 0 ? { ...batch, photos: left } : []
  })
}

function withFailed(result: UploadResult, photos: readonly File[], message: string): UploadResult {
  return { ...withRefused(result, photos, message), unsent: [...result.unsent, ...photos] }
}

function withRefused(result: UploadResult, photos: readonly File[], message: string): UploadResult {
  const verdicts = photos.map(({ name }): FileVerdict => ({ filename: name, status: 'refused', message }))
  return { ...result, failed: result.failed + photos.length, files: [...result.files, ...verdicts] }
}
