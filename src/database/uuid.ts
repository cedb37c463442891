import { UUID } from '../contract/uuid.ts'

/** Whether a text can be an id of ours. Postgres fails a query that compares a uuid column with any other text. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** The id of the 16 bytes that begin at `at`. */
export function uuidOf(bytes: Uint8Array, at = 0): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset + at, 16).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
