/** How fast an upload is, and how long it will take. */
import { units } from '../../../src/texts/english/common.ts'
import { upload as texts } from '../../../src/texts/english/upload.ts'
import { formatBytes } from '../../lib/format.ts'
import { timeLeft } from '../../lib/time-left.ts'

/** The bytes that were sent at a time (ms of Date.now()). */
export interface Reading {
  readonly bytes: number
  readonly at: number
}

/** Ms between two readings: people need time to read a pace. */
const EVERY_MS = 2_000
/** Readings of about half a minute make the pace: fewer vary too much, and more follow the network too slowly. */
const MOST = 16
/** Ms of readings before there is a pace. */
const LEAST_MS = 3_000

/** Adds what is sent by now, if it is time for a reading. */
export function withReading(readings: readonly Reading[], next: Reading): readonly Reading[] {
  const last = readings.at(-1)
  if (last && next.at - last.at < EVERY_MS) return readings
  return [...readings, next].slice(-MOST)
}

/** '2.4 MB/s · about 3 minutes left'. Steps are coarse, so that the text does not change all the time.
 *  @returns null for the first seconds, and while nothing is sent */
export function paceText(readings: readonly Reading[], bytesTotal: number): string | null {
  const first = readings[0]
  const last = readings.at(-1)
  if (!first || !last || last.at - first.at < LEAST_MS || last.bytes <= first.bytes) return null
  const bytesPerSecond = ((last.bytes - first.bytes) / (last.at - first.at)) * 1000
  return texts.pace(
    units.perSecond(formatBytes(bytesPerSecond)),
    timeLeft((bytesTotal - last.bytes) / bytesPerSecond),
  )
}

/** What a screen reader says about an upload. It changes ten times at most, however long the upload takes. */
export function milestone(photosDone: number, photosTotal: number): string {
  const tenths = photosTotal === 0 ? 0 : Math.floor((photosDone / photosTotal) * 10)
  return tenths === 0 ? texts.uploading : texts.uploaded(tenths * 10)
}
