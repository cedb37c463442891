/** The state of /bulk-upload (§4). Nothing here knows the browser's page. */
import { startOf, type Transfer } from './engine.ts'
import { type BlockedFile, eachOnce } from './files.ts'
import type { EndedUpload } from './outcome.ts'
import { type Reading, withReading } from './pace.ts'
import type { Preparing } from './shrink.ts'

interface Chosen {
  readonly photos: readonly File[]
  readonly blocked: readonly BlockedFile[]
}

export type Phase =
  | { phase: 'idle' }
  | {
      phase: 'uploading'
      transfer: Transfer
      readings: readonly Reading[]
      preparing: Preparing | null
    }
  | { phase: 'success'; transfer: Transfer; ended: EndedUpload }
  | { phase: 'error'; ended: EndedUpload | null }

export type UploadState = Chosen & Phase

export type UploadEvent =
  | { type: 'chosen'; photos: readonly File[] }
  | { type: 'removed'; photos: readonly File[] }
  | { type: 'blocked'; files: readonly BlockedFile[] }
  | { type: 'blocked dismissed' }
  /** `missing`: the photos that this browser has not uploaded before. */
  | { type: 'begun'; photos: readonly File[]; missing: readonly File[] }
  /** `at`: ms of Date.now(). */
  | { type: 'moved'; transfer: Transfer; at: number }
  | { type: 'preparing'; preparing: Preparing | null }
  | { type: 'left' }
  /** Null when the upload broke off unexpectedly. */
  | { type: 'ended'; ended: EndedUpload | null }

export const NOTHING_CHOSEN: UploadState = { phase: 'idle', photos: [], blocked: [] }

export function reduce(state: UploadState, event: UploadEvent): UploadState {
  const { photos, blocked } = state
  switch (event.type) {
    case 'chosen':
      // The visitor has begun to upload others while the browser was still reading these.
      if (state.phase === 'uploading') return state
      return { phase: 'idle', photos: eachOnce([...photos, ...event.photos]), blocked }
    case 'removed':
      return { phase: 'idle', photos: without(photos, event.photos), blocked }
    case 'blocked':
      return {
        ...state,
        photos: without(
          photos,
          event.files.map(({ file }) => file),
        ),
        blocked: eachOnce([...blocked, ...event.files]),
      }
    case 'blocked dismissed':
      return { ...state, blocked: [] }
    case 'begun':
      return {
        phase: 'uploading',
        photos: event.photos,
        blocked: blocked.filter(({ file }) => !event.photos.includes(file)),
        transfer: startOf(event.missing),
        readings: [],
        preparing: null,
      }
    case 'moved':
      return state.phase === 'uploading' ? { ...state, ...moved(state.readings, event) } : state
    case 'preparing':
      return state.phase === 'uploading' ? { ...state, preparing: event.preparing } : state
    case 'left':
      return { phase: 'idle', photos, blocked }
    case 'ended':
      if (state.phase === 'uploading' && event.ended?.isSuccess)
        return { phase: 'success', photos, blocked, transfer: state.transfer, ended: event.ended }
      return { phase: 'error', photos, blocked, ended: event.ended }
  }
}

function without(photos: readonly File[], out: readonly File[]): File[] {
  const gone = new Set(out)
  return photos.filter((photo) => !gone.has(photo))
}

/** The time in which nothing can be sent does not count for the pace. */
function moved(readings: readonly Reading[], { transfer, at }: UploadEvent & { type: 'moved' }) {
  const reading = { bytes: transfer.bytesShown, at }
  return { transfer, readings: transfer.waiting ? [] : withReading(readings, reading) }
}
