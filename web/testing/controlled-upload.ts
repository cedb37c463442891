import { afterEach, beforeEach, vi } from 'vitest'
import type { UploadOutput } from '../../src/contract/photos.ts'
import { type BatchRequest, uploadInBatches } from '../features/upload/engine.ts'
import type { Prepare } from '../features/upload/shrink.ts'
import {
  advance,
  progressOf,
  startOf,
  storedPhotos,
  type TransferEvent,
  type UploadResult,
} from '../features/upload/transfer.ts'

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
 *  `progress`: what the page shows after each event.
 *  @param isReadable whether the photo of this name can still be read */
export function upload(
  count: number,
  answer: BatchAnswer = allStored,
  isReadable = (_name: string) => true,
  prepare: Prepare = async (batch) => [...batch],
  check: () => Promise<unknown> = async () => {},
) {
  const requests: { at: number; request: BatchRequest }[] = []
  const eventLog: [at: number, ...event: unknown[]][] = []
  const progress: unknown[] = []
  const stored: string[] = []
  const stop = new AbortController()
  const connection = fakeConnection()
  const all = photos(count)
  let transfer = startOf(all)
  const say = (event: TransferEvent) => {
    transfer = advance(transfer, event)
    const { photosDone, bytesSent, bytesTotal } = progressOf(transfer)
    progress.push([photosDone, bytesSent, bytesTotal])
    if (event.type === 'answered')
      stored.push(...storedPhotos(event.batch, event.answer).map(({ name }) => name))
    const entry = noted(event)
    if (entry) eventLog.push([Date.now(), event.type, ...entry])
  }
  const result: Promise<UploadResult> = uploadInBatches(
    all,
    {
      async send(request, options) {
        requests.push({ at: Date.now(), request })
        return answer(request, requests.length, options)
      },
      check,
      isReadable: async (photo) => isReadable(photo.name),
      prepare,
      connection,
      signal: stop.signal,
    },
    say,
  )
  return { result, requests, eventLog, progress, stored, connection, stop }
}

/** What visitors are told, or null. */
function noted(event: TransferEvent): unknown[] | null {
  switch (event.type) {
    case 'batch failed':
      return [event.number, event.message]
    case 'retrying':
      return []
    case 'retried':
    case 'retry failed':
      return [event.number, event.photos]
    case 'not shrunk':
      return [...event.failures].map(([{ name }, reason]) => [name, reason])
    case 'waiting':
      return [event.waiting]
    default:
      return null
  }
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
