import { afterEach, beforeEach, vi } from 'vitest'
import type { UploadOutput } from '../../src/contract/photos.ts'
import type { Prepare } from '../features/upload/prepare-photos.ts'
import { type BatchRequest, type EngineEvents, uploadInBatches } from '../features/upload/upload-engine.ts'
import type { UploadResult } from '../features/upload/upload-state.ts'

export const PHOTO_BYTES = 10

export function photos(count: number): File[] {
  return Array.from({ length: count }, (_, index) => new File(['x'.repeat(PHOTO_BYTES)], `${index + 1}.jpg`))
}

export function allStored({ photos }: BatchRequest): UploadOutput {
  return {
    successful: photos.length,
    failed: 0,
    files: photos.map(({ name }) => ({ filename: name, status: 'stored' })),
  }
}

export type BatchAnswer = (
  request: BatchRequest,
  attempt: number,
  options: { signal: AbortSignal; onSent: (bytes: number) => void },
) => UploadOutput | Promise<UploadOutput>

/** A request that gets no answer. It ends with its signal. */
export function endless(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

/** Uploads to a service that answers at once, under fake timers. Requests and events are recorded with their time, ms.
 *  @param isReadable whether the photo of this name can still be read */
export function upload(
  count: number,
  answer: BatchAnswer = allStored,
  isReadable = (_name: string) => true,
  prepare: Prepare = async (batch) => [...batch],
) {
  const requests: { at: number; request: BatchRequest }[] = []
  const eventLog: [at: number, ...event: unknown[]][] = []
  const progress: unknown[] = []
  const stop = new AbortController()
  const stored: string[] = []
  const connection = fakeConnection()
  const events: EngineEvents = {
    onBatchFailed: (...event) => eventLog.push([Date.now(), 'failed', ...event]),
    onRetryStarted: () => eventLog.push([Date.now(), 'retrying']),
    onBatchRetried: (...event) => eventLog.push([Date.now(), 'retried', ...event]),
    onBatchRetryFailed: (...event) => eventLog.push([Date.now(), 'retry failed', ...event]),
    onNotShrunk: (failures) =>
      eventLog.push([Date.now(), 'not shrunk', ...[...failures].map(([{ name }, reason]) => [name, reason])]),
    onWaiting: (waiting) => eventLog.push([Date.now(), 'waiting', waiting]),
    onStored: (photos) => stored.push(...photos.map((photo) => photo.name)),
    onProgress: ({ photosDone, bytesSent, bytesTotal }) => progress.push([photosDone, bytesSent, bytesTotal]),
  }
  const result: Promise<UploadResult> = uploadInBatches(
    photos(count),
    async (request, options) => {
      requests.push({ at: Date.now(), request })
      return answer(request, requests.length, options)
    },
    events,
    { signal: stop.signal, connection, isReadable: async (photo) => isReadable(photo.name), prepare },
  )
  return { result, requests, eventLog, progress, stored, connection, stop }
}

/** The same, when all is done. */
export async function uploaded(...options: Parameters<typeof upload>) {
  const { result, ...seen } = upload(...options)
  await vi.runAllTimersAsync()
  return { ...seen, result: await result }
}

export function withFakeTimers(): void {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }))
  afterEach(() => void vi.useRealTimers())
}

/** A network that is lost and comes back when the test says so. */
function fakeConnection() {
  let isOnline = true
  let lastOffline = Number.NEGATIVE_INFINITY
  let onBack: (() => void) | undefined
  return {
    lose() {
      isOnline = false
      lastOffline = Date.now()
    },
    restore() {
      isOnline = true
      onBack?.()
    },
    wasOffline: (at: number) => !isOnline || lastOffline >= at,
    back: () => new Promise<void>((resolve) => (onBack = resolve)),
  }
}
