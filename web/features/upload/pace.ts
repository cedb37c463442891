import { upload as texts, units } from '../../../src/texts/english.ts'
import { decimals } from '../../lib/format.ts'
import { timeLeft } from '../../lib/time-left.ts'

/** How fast an upload is, smoothed over about half a minute. */
export interface Pace {
  bytesPerSecond: number
  secondsLeft: number
}

/** Ms after which an observation counts only about a third. */
const MEMORY_MS = 12_000
/** Ms to observe before there is a pace: the first seconds vary too much. */
const OBSERVED_MS = 3_000

export interface PaceMeter {
  /** @param bytesSent of `bytesTotal`; @param now in ms. Null for the first three seconds and while no bytes were sent. */
  read(bytesSent: number, bytesTotal: number, now: number): Pace | null
  /** Leaves out the time until the next reading, because nothing could be sent. */
  skip(): void
}

export function createPaceMeter(): PaceMeter {
  let bytes = 0
  let ms = 0
  let observed = 0
  let last: { bytesSent: number; at: number } | null = null

  return {
    read(bytesSent, bytesTotal, now) {
      if (last && now > last.at) {
        const passed = now - last.at
        const kept = Math.exp(-passed / MEMORY_MS)
        // The bytes of a failed batch no longer count as sent. The time still counts.
        bytes = bytes * kept + Math.max(0, bytesSent - last.bytesSent)
        ms = ms * kept + passed
        observed += passed
      }
      last = { bytesSent, at: now }
      if (observed < OBSERVED_MS || bytes === 0) return null
      const bytesPerSecond = (bytes / ms) * 1000
      return { bytesPerSecond, secondsLeft: (bytesTotal - bytesSent) / bytesPerSecond }
    },
    skip() {
      last = null
    },
  }
}

/** '2.4 MB/s · about 3 minutes left'. Steps are coarse, so that the text does not change all the time. */
export function paceText({ bytesPerSecond, secondsLeft }: Pace): string {
  return texts.pace(speed(bytesPerSecond), timeLeft(secondsLeft))
}

function speed(bytesPerSecond: number): string {
  const kilobytes = bytesPerSecond / 1024
  return units.perSecond(
    kilobytes < 1000
      ? units.kilobytes(decimals(kilobytes, 0))
      : units.megabytes(decimals(kilobytes / 1024, 1)),
  )
}

/** What a screen reader says about an upload. It changes ten times at most, however long the upload takes. */
export function milestone(photosDone: number, photosTotal: number): string {
  const tenths = photosTotal === 0 ? 0 : Math.floor((photosDone / photosTotal) * 10)
  return tenths === 0 ? texts.uploading : texts.uploaded(tenths * 10)
}
