/** How far the sending of photos has come. Nothing here knows the network. */
import { BATCH_SIZE, PHOTO_MAX_BYTES } from '../../../src/contract/limits.ts'
import type { FileVerdict, UploadOutput } from '../../../src/contract/photos.ts'
import { upload as texts } from '../../../src/texts/english/upload.ts'
import type { UploadStopped, Waiting } from './patience.ts'

/** Batches count from 1. A batch loses photos that cannot be read or made smaller. */
export interface Batch {
  readonly number: number
  readonly photos: readonly File[]
}

export interface Transfer {
  readonly photosTotal: number
  /** Without the photos that were left out. */
  readonly bytesTotal: number
  readonly bytesAnswered: number
  /** Bytes of the present request that are sent but not answered. */
  readonly bytesInFlight: number
  /** The bar shows the most that was ever sent: when a batch fails, it pauses instead of moving back. */
  readonly bytesShown: number
  /** How many photos one request has at most. Something in front of the service may take only small requests. */
  readonly photosAtOnce: number
  /** Batches that are neither answered nor given up, in their order. */
  readonly open: readonly Batch[]
  /** Why nothing can be sent at the moment. */
  readonly waiting: Waiting | null
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

/** The transfer before the first batch. */
export function startOf(photos: readonly File[]): Transfer {
  return {
    photosTotal: photos.length,
    bytesTotal: sizeOf(photos),
    bytesAnswered: 0,
    bytesInFlight: 0,
    bytesShown: 0,
    photosAtOnce: BATCH_SIZE,
    open: Array.from({ length: Math.ceil(photos.length / BATCH_SIZE) }, (_, index) => ({
      number: index + 1,
      photos: photos.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
    })),
    waiting: null,
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

/** Photos that were answered or given up. */
export function photosDone({ photosTotal, open }: Transfer): number {
  return photosTotal - open.reduce((count, { photos }) => count + photos.length, 0)
}

/** What the next request of a batch has. @returns undefined when the batch is no longer open */
export function nextRequest({ open, photosAtOnce }: Transfer, number: number): Batch | undefined {
  const batch = open.find((one) => one.number === number)
  return batch && { number, photos: batch.photos.slice(0, photosAtOnce) }
}

/** @param inFlight the bytes of the present request that are sent */
export function sent(transfer: Transfer, inFlight: number): Transfer {
  const bytesShown = Math.max(transfer.bytesShown, transfer.bytesAnswered + inFlight)
  return { ...transfer, bytesInFlight: inFlight, bytesShown }
}

/** @param batch the photos of the request
 *  @param mayBeRepeated whether the service may have taken the same photos before */
export function answered(
  transfer: Transfer,
  batch: Batch,
  answer: UploadOutput,
  mayBeRepeated: boolean,
): Transfer {
  const { result } = transfer
  const duplicates = answer.files.filter(({ status }) => status === 'duplicate').length
  const next = {
    ...transfer,
    bytesAnswered: transfer.bytesAnswered + sizeOf(batch.photos),
    open: openWithout(transfer.open, batch),
    result: {
      ...result,
      successful: result.successful + answer.successful,
      failed: result.failed + answer.failed,
      files: [...result.files, ...answer.files],
      maybeNew: result.maybeNew + (mayBeRepeated ? duplicates : 0),
    },
  }
  return sent(next, 0)
}

/** Photos of a batch that are in the album according to the answer: stored now or before. */
export function storedPhotos({ photos }: Batch, { files }: UploadOutput): File[] {
  return photos.filter((_, index) => files[index] !== undefined && files[index].status !== 'refused')
}

/** Photos of a batch that will not be sent, each with its reason.
 *  @param lists those of the result that have them, too */
export function leftOut(
  transfer: Transfer,
  number: number,
  reasons: ReadonlyMap<File, string>,
  ...lists: ('unsent' | 'unreadable')[]
): Transfer {
  const photos = [...reasons.keys()]
  return {
    ...transfer,
    bytesTotal: transfer.bytesTotal - sizeOf(photos),
    open: openWithout(transfer.open, { number, photos }),
    result: withRefused(transfer.result, reasons, lists),
  }
}

/** The upload has ended early. The open batches stay open, so that the progress shows how far it came. */
export function stoppedBy(transfer: Transfer, stopped: UploadStopped): Transfer {
  const unsent = transfer.open.flatMap(({ photos }) => photos)
  const result = withRefused(transfer.result, reasonFor(unsent, texts.notSent), ['unsent'])
  return { ...transfer, result: { ...result, stopped } }
}

/** The same reason for each of these photos. */
export function reasonFor(photos: readonly File[], reason: string): Map<File, string> {
  return new Map(photos.map((photo) => [photo, reason]))
}

/** The bytes that photos are expected to take in a request. Photos above the limit are made smaller first. */
export function sizeOf(photos: readonly File[]): number {
  return photos.reduce((bytes, photo) => bytes + Math.min(photo.size, PHOTO_MAX_BYTES), 0)
}

/** A batch without photos is no longer open. */
function openWithout(open: readonly Batch[], gone: Batch): Batch[] {
  return open.flatMap((batch) => {
    if (batch.number !== gone.number) return batch
    const photos = batch.photos.filter((photo) => !gone.photos.includes(photo))
    return photos.length > 0 ? { ...batch, photos } : []
  })
}

function withRefused(
  result: UploadResult,
  reasons: ReadonlyMap<File, string>,
  lists: readonly ('unsent' | 'unreadable')[],
): UploadResult {
  const verdicts = [...reasons].map(
    ([{ name }, message]): FileVerdict => ({ filename: name, status: 'refused', message }),
  )
  const listed = lists.map((list) => [list, [...result[list], ...reasons.keys()]])
  return {
    ...result,
    failed: result.failed + reasons.size,
    files: [...result.files, ...verdicts],
    ...Object.fromEntries(listed),
  }
}
