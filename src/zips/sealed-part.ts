import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto'
import type { ZipEntry } from './zip-format.ts'

/** What is in a part of a zip. It never changes, so every range of the part can be made again. */
export interface ZipPart {
  filename: string
  /** Photos of one album. */
  entries: (ZipEntry & { sha256: string })[]
}

const TOKEN = /^[\w-]{43}$/
const TOKEN_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Seals a part under a new token. Only the token's hash is stored, so nobody learns from the database which photos a
 *  guest has found. */
export function sealPart(part: ZipPart): { token: string; tokenHash: Buffer; sealed: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(token), nonce)
  const text = Buffer.concat([cipher.update(JSON.stringify(part)), cipher.final()])
  return { token, tokenHash: hashOfToken(token)!, sealed: Buffer.concat([nonce, text, cipher.getAuthTag()]) }
}

/** @throws Error when the token is of another part */
export function openPart(token: string, sealed: Buffer): ZipPart {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(token), sealed.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  return JSON.parse(text.toString())
}

/** @returns undefined for a text that is no token */
export function hashOfToken(token: string): Buffer | undefined {
  return TOKEN.test(token) ? hash('sha256', token, 'buffer') : undefined
}

function keyOf(token: string): Buffer {
  return Buffer.from(hkdfSync('sha256', token, 'inframe', 'zip-part', 32))
}
