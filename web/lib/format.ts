import { units } from '../../src/texts/english/common.ts'

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'short' })
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

/** '90 seconds', '5 minutes'. Minutes are rounded up. */
export function formatDuration(seconds: number): string {
  return seconds < 120 ? units.seconds(seconds) : units.minutes(Math.ceil(seconds / 60))
}

/** '2.5' or '2,5', with this many digits after the point. */
export function decimals(value: number, places: number): string {
  const format = { minimumFractionDigits: places, maximumFractionDigits: places, useGrouping: false }
  return value.toLocaleString(undefined, format)
}

/** Bytes, KB (1024 bytes) or MB, as §2 names them. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return units.bytes(bytes)
  if (bytes < 1024 * 1024) return units.kilobytes(decimals(bytes / 1024, 1))
  return units.megabytes(decimals(bytes / 1024 / 1024, 1))
}

export function formatDate(iso: string): string {
  return DATE.format(new Date(iso))
}

/** The date and the time. */
export function formatMoment(iso: string): string {
  return MOMENT.format(new Date(iso))
}

export function formatTime(iso: string): string {
  return TIME.format(new Date(iso))
}
