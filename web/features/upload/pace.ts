import { units } from '../../../src/texts/english/common.ts'
import { upload as texts } from '../../../src/texts/english/upload.ts'
import { decimals } from '../../lib/format.ts'
import { timeLeft } from '../../lib/time-left.ts'

/** How fast an upload is, smoothed over about half a minute. */
export interface Pace {
  bytesPerSecond: number
  secondsLeft: number
}

/** What is known of the speed of an upload. */
export interface PaceMeter {
  /** Both are smoothed. */
  readonly bytes: number
  readonly ms: number
  readonly observedMs: number
  readonly last: { bytesSent: number; at: number } | null
  /** Null for the first three seconds and while no bytes were sent. */
  readonly shown: Pace | null
  readonly shownAt: number
}

export const NO_PACE: PaceMeter = {
  bytes: 0,
  ms: 0,
  observedMs: 0,
  last: null,
  shown: null,
  shownAt: Number.NEGATIVE_INFINITY,
}

/** Ms after which an observation counts only about a third. */
const MEMORY_MS = 12_000
/** Ms to observe before there is a pace: the first seconds vary too much. */
const OBSERVED_MS = 3_000
/** Ms between two changes of what is shown: people need time to read it. */
const SHOWN_MS = 2_000

/** @param at ms of Date.now() */
export function observed(meter: PaceMeter, { bytesSent, bytesTotal }: Sizes, at: number): PaceMeter {
  const passed = meter.last ? Math.max(0, at - meter.last.at) : 0
  const kept = Math.exp(-passed / MEMORY_MS)
  // The bytes of a failed batch no longer count as sent. The time still counts.
  const sent = meter.last && passed > 0 ? Math.max(0, bytesSent - meter.last.bytesSent) : 0
  const bytes = meter.bytes * kept + sent
  const ms = meter.ms * kept + passed
  const observedMs = meter.observedMs + passed
  const next = { ...meter, bytes, ms, observedMs, last: { bytesSent, at } }
  if (observedMs < OBSERVED_MS || bytes === 0 || at - meter.shownAt < SHOWN_MS) return next
  const bytesPerSecond = (bytes / ms) * 1000
  return {
    ...next,
    shown: { bytesPerSecond, secondsLeft: (bytesTotal - bytesSent) / bytesPerSecond },
    shownAt: at,
  }
}

/** Leaves out the time until the next observation, because nothing can be sent. */
export function paused(meter: PaceMeter): PaceMeter {
  return { ...meter, last: null }
}

interface Sizes {
  bytesSent: number
  bytesTotal: number
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
