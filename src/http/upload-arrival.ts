import type { FastifyRequest } from 'fastify'
import { requestTooSlow } from './limits.ts'
import type { MinimumRate } from './selfie-form.ts'
import { tooManyUploads, type Upload } from './staging-budget.ts'

/** Looks at the bytes that have arrived, in the time for which the minimum rate holds. */
const LOOKS = 30
/** An upload is slow when it was below the rate for so many of them: then it gives way to others. */
const LOOKS_WHEN_SLOW = 5

/** Watches an upload whose files begin to arrive. It is ended when it arrives too slowly, because it holds room that others
 *  need. Time in which it waits for room itself does not count.
 *  @param rate of the slowest upload that is not ended, measured over the grace time
 *  @returns ends: called when all has arrived; signal: aborts with the error when the upload has to end */
export function watchUpload(
  { raw: { socket } }: FastifyRequest,
  holders: Pick<Upload, 'album' | 'address'>,
  { graceMs, bytesPerSecond }: MinimumRate,
): { upload: Upload; signal: AbortSignal; end(): void } {
  const ending = new AbortController()
  const everyMs = graceMs / LOOKS
  const received = [socket.bytesRead]

  function isBehind(looks: number): boolean {
    const before = received.at(-1 - looks)
    return before !== undefined && received.at(-1)! - before < ((looks * everyMs) / 1000) * bytesPerSecond
  }

  const timer = setInterval(() => {
    // What has arrived meanwhile counts as before the next look.
    if (upload.isWaiting) received.splice(0, Number.POSITIVE_INFINITY, socket.bytesRead)
    else received.push(socket.bytesRead)
    if (received.length > LOOKS + 1) received.shift()
    if (isBehind(LOOKS)) ending.abort(requestTooSlow())
  }, everyMs)

  const upload: Upload = {
    ...holders,
    isWaiting: false,
    isSlow: () => !upload.isWaiting && isBehind(LOOKS_WHEN_SLOW),
    giveWay: () => ending.abort(tooManyUploads()),
  }
  return {
    upload,
    signal: ending.signal,
    end() {
      clearInterval(timer)
      upload.giveWay = undefined
    },
  }
}
