import { afterEach, beforeEach, vi } from 'vitest'
import { BATCH_TIMEOUT_MS } from '../../src/contract/limits.ts'
import type { UploadOutput } from '../../src/contract/photos.ts'
import { type BatchRequest, type EngineEvent, uploadInBatches } from '../features/upload/engine.ts'
import type { Prepare } from '../features/upload/files.ts'
import { endOf } from '../features/upload/state.ts'
import { RequestFailure } from '../lib/failure.ts'
import type { Waiting } from '../lib/patience.ts'

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
 *  `progress`: what the page shows after each event. */
export function upload(
  count: number,
  answer: BatchAnswer = allStored,
  prepare: Prepare = async (batch) => [...batch],
) {
  const requests: { at: number; request: BatchRequest }[] = []
  const eventLog: [at: number, ...event: unknown[]][] = []
  const progress: unknown[] = []
  const stored: string[] = []
  const stop = new AbortController()
  const connection = fakeConnection()
  let waiting: Waiting | null = null
  const say = (event: EngineEvent) => {
    if (event.type === 'stored') stored.push(...event.photos.map(({ name }) => name))
    else if (event.type === 'said') eventLog.push([Date.now(), event.toast.title, event.toast.description])
    else {
      const { files, bytesSent, bytesTotal } = event.transfer
      progress.push([files.length, bytesSent, bytesTotal])
      if (event.transfer.waiting !== waiting) eventLog.push([Date.now(), 'waiting', event.transfer.waiting])
      waiting = event.transfer.waiting
    }
  }
  const transfer = uploadInBatches(
    photos(count),
    {
      async send(request, options) {
        requests.push({ at: Date.now(), request })
        const answered = answer(request, requests.length, options)
        if (!request.fields) return answered
        return await Promise.race([answered, late()])
      },
      prepare,
      signal: stop.signal,
    },
    say,
  )
  const result = transfer.then((end) => ({ ...end, ...endOf(end, 0) }))
  return { result, requests, eventLog, progress, stored, connection, stop }
}

/** What the browser says about a first attempt without an answer. */
async function late(): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, BATCH_TIMEOUT_MS))
  throw new RequestFailure('No answer within 120 seconds', 0)
}

/** The same, when all is done. */
export async function uploaded(...options: Parameters<typeof upload>) {
  const { result, ...seen } = upload(...options)
  await vi.runAllTimersAsync()
  return { ...seen, result: await result }
}

export function withFakeTimers(): void {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }))
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
}

/** A network that is lost and comes back when the test says so. */
function fakeConnection() {
  const network = { onLine: true }
  const window = new EventTarget()
  vi.stubGlobal('navigator', network)
  vi.stubGlobal('window', window)
  return {
    lose() {
      network.onLine = false
    },
    restore() {
      network.onLine = true
      window.dispatchEvent(new Event('online'))
    },
  }
}
