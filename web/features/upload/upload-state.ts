import { BATCH_SIZE, PHOTO_MAX_BYTES } from '../../../src/contract/limits.ts'
import type { FileVerdict, UploadOutput } from '../../../src/contract/photos.ts'
import { upload as texts } from '../../../src/texts/english.ts'
import type { UploadStopped } from './patience.ts'
import { NO_LONGER_READABLE } from './readable.ts'

/** The reason of a photo whose batch was still to be sent when the upload was stopped. */
export const NOT_SENT = texts.notSent

/** Batches count from 1. A batch loses photos that cannot be read or made smaller. */
export interface Batch {
  readonly number: number
  readonly photos: readonly File[]
}

/** How far an upload has come. Each function of this module takes a state and gives the next one. */
export interface UploadState {
  readonly photosTotal: number
  /** Without the photos that turned out to be unreadable or impossible to make smaller. */
  readonly bytesTotal: number
  readonly bytesAnswered: number
  /** Batches that are neither answered nor given up, in their order. */
  readonly open: readonly Batch[]
  readonly result: UploadResult
}

export interface UploadProgress {
  /** Photos that were answered or given up. */
  photosDone: number
  photosTotal: number
  bytesSent: number
  bytesTotal: number
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

/** The state before the first batch. */
export function startOf(photos: readonly File[]): UploadState {
  return {
    photosTotal: photos.length,
    bytesTotal: sizeOf(photos),
    bytesAnswered: 0,
    open: inBatches(photos),
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

/** @param bytesInFlight bytes of the current request that are sent but not answered */
export function progressOf(state: UploadState, bytesInFlight = 0): UploadProgress {
  const photosOpen = state.open.reduce((count, { photos }) => count + photos.length, 0)
  return {
    photosDone: state.photosTotal - photosOpen,
    photosTotal: state.photosTotal,
    bytesSent: state.bytesAnswered + bytesInFlight,
    bytesTotal: state.bytesTotal,
  }
}

/** @returns undefined when the batch is answered, given up, or has no photo left */
export function openBatch(state: UploadState, number: number): Batch | undefined {
  return state.open.find((batch) => batch.number === number)
}

/** The service answered a batch, or some photos of it, with a verdict for each file.
 *  @param mayBeRepeated whether the service may have taken the same photos before */
export function batchAnswered(
  state: UploadState,
  batch: Batch,
  answer: UploadOutput,
  mayBeRepeated = false,
): UploadState {
  const { result } = state
  const duplicates = answer.files.filter(({ status }) => status === 'duplicate').length
  return {
    ...state,
    bytesAnswered: state.bytesAnswered + sizeOf(batch.photos),
    open: openWithout(state.open, batch, batch.photos),
    result: {
      ...result,
      successful: result.successful + answer.successful,
      failed: result.failed + answer.failed,
      files: [...result.files, ...answer.files],
      maybeNew: result.maybeNew + (mayBeRepeated ? duplicates : 0),
    },
  }
}

/** The retry of a failed batch was answered. */
export function retrySucceeded(state: UploadState): UploadState {
  const { result } = state
  return { ...state, result: { ...result, retriedBatches: result.retriedBatches + 1 } }
}

/** A batch failed twice: its photos count as failed.
 *  @param isInFront whether the service itself has not refused it */
export function batchGivenUp(
  state: UploadState,
  batch: Batch,
  reason: string,
  isInFront = false,
): UploadState {
  const result = withFailed(state.result, batch.photos, reason)
  return {
    ...state,
    open: without(state.open, batch),
    result: isInFront ? { ...result, refusedInFront: reason } : result,
  }
}

/** Takes photos that can no longer be read out of their batch. */
export function photosUnreadable(state: UploadState, batch: Batch, gone: readonly File[]): UploadState {
  const result = withFailed(state.result, gone, NO_LONGER_READABLE)
  return {
    ...withoutPhotos(state, batch, gone),
    result: { ...result, unreadable: [...result.unreadable, ...gone] },
  }
}

/** Takes photos that cannot be sent out of their batch.
 *  @param failures the reason of each of these photos */
export function photosNotSent(
  state: UploadState,
  batch: Batch,
  failures: ReadonlyMap<File, string>,
): UploadState {
  let { result } = state
  for (const [photo, reason] of failures) result = withRefused(result, [photo], reason)
  return { ...withoutPhotos(state, batch, [...failures.keys()]), result }
}

/** The open batches stay open, so that the progress shows how far the upload came. */
export function uploadStopped(state: UploadState, stopped: UploadStopped): UploadState {
  const unsent = state.open.flatMap(({ photos }) => photos)
  return { ...state, result: { ...withFailed(state.result, unsent, NOT_SENT), stopped } }
}

/** Photos of a batch that are in the album according to the answer: stored now or before. */
export function storedPhotos(batch: Batch, { files }: UploadOutput): File[] {
  return batch.photos.filter((_, index) => {
    const verdict = files[index]
    return verdict !== undefined && verdict.status !== 'refused'
  })
}

/** The bytes that photos are expected to take in a request. Photos above the limit are made smaller first. */
export function sizeOf(photos: readonly File[]): number {
  return photos.reduce((bytes, photo) => bytes + Math.min(photo.size, PHOTO_MAX_BYTES), 0)
}

function withoutPhotos(state: UploadState, batch: Batch, gone: readonly File[]): UploadState {
  return {
    ...state,
    bytesTotal: state.bytesTotal - sizeOf(gone),
    open: openWithout(state.open, batch, gone),
  }
}

/** A batch without photos is no longer open. */
function openWithout(open: readonly Batch[], batch: Batch, gone: readonly File[]): Batch[] {
  return open.flatMap((other) => {
    if (other.number !== batch.number) return other
    const left = other.photos.filter((photo) => !gone.includes(photo))
    return left.length > 0 ? { ...other, photos: left } : []
  })
}

function withFailed(result: UploadResult, photos: readonly File[], message: string): UploadResult {
  return { ...withRefused(result, photos, message), unsent: [...result.unsent, ...photos] }
}

function withRefused(result: UploadResult, photos: readonly File[], message: string): UploadResult {
  const verdicts = photos.map(({ name }): FileVerdict => ({ filename: name, status: 'refused', message }))
  return { ...result, failed: result.failed + photos.length, files: [...result.files, ...verdicts] }
}

function without(open: readonly Batch[], batch: Batch): Batch[] {
  return open.filter((other) => other.number !== batch.number)
}

function inBatches(photos: readonly File[]): Batch[] {
  return Array.from({ length: Math.ceil(photos.length / BATCH_SIZE) }, (_, index) => ({
    number: index + 1,
    photos: photos.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  }))
}
