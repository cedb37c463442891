const NUMBER = new Intl.NumberFormat('en')
const DATE = new Intl.DateTimeFormat('en', { dateStyle: 'long' })

export function formatNumber(count: number): string {
  return NUMBER.format(count)
}

/** '1 photo', '2,000 photos'. */
export function countOf(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** '90 seconds', '5 minutes'. Minutes are rounded up. */
export function formatDuration(seconds: number): string {
  return seconds < 120 ? countOf(seconds, 'second') : countOf(Math.ceil(seconds / 60), 'minute')
}

/** Bytes, KB (1024 bytes) or MB, as §2 names them. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} Bytes`
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

export function formatDate(iso: string): string {
  return DATE.format(new Date(iso))
}
