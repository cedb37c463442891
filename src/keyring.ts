import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import type { z } from 'zod'

/** What a key is for. Keys of different purposes have only SECRET_KEY in common. */
type Purpose =
  | 'session'
  | 'album-password'
  | 'photo-link'
  | 'search'
  | 'address-hash'
  | 'letter-link'
  | 'letter-address'
  | 'mail-token'
  | 'audit-log'
  | 'opted-out-person'
  | 'opt-out-receipt'
  | 'photo-alert'
  | 'zip'
  | 'erased-name'
  | 'device-link'
  | 'key-check'

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** 128 bits cannot be guessed, and make an address half as long. */
export const SIGNATURE_BYTES = 16

export interface Keyring {
  /** A key of 32 bytes for each secret, the newest first: sign with the first, accept any. They are prepared once: given
   *  the bytes instead, OpenSSL prepares them again for every signature, which takes several times as long as signing. */
  keys(purpose: Purpose): KeyObject[]
  /** HMAC-SHA-256 under the newest key. */
  mac(purpose: Purpose, text: string): Buffer
  /** The same under every key, the newest first: to find what was stored before SECRET_KEY got a new one. */
  macs(purpose: Purpose, text: string): Buffer[]
  /** The first half of an HMAC-SHA-256 of all parts together, under the newest key. */
  sign(purpose: Purpose, ...parts: (string | Buffer)[]): Buffer
  /** Whether any key of the ring has signed these parts. The time it takes says nothing about the signature.
   *  @param signature untrusted */
  isSigned(purpose: Purpose, signature: Buffer, ...parts: (string | Buffer)[]): boolean
  /** A token: a text for somebody to keep, which only this service can make and read.
   *  @param context what it is for: opening needs the same
   *  @param content what `open` gives back; JSON
   *  @param seconds for how long; without it, for good */
  seal(purpose: Purpose, context: string, content: unknown, seconds?: number): string
  /** What a token says.
   *  @param token untrusted
   *  @throws TokenRefused */
  open<Content>(purpose: Purpose, context: string, schema: z.ZodType<Content>, token: string): Content
  /** For what is stored: AES-256-GCM under the newest key. Decrypting needs the same `context` (an id). */
  encrypt(purpose: Purpose, plaintext: string, context: string): Buffer
  /** Throws when no key of the ring fits. */
  decrypt(purpose: Purpose, ciphertext: Buffer, context: string): string
}

/** `unknown`: forged, changed, for something else, or made under a key that is no longer in use. */
export class TokenRefused extends Error {
  readonly why: 'unknown' | 'ended'
  constructor(why: 'unknown' | 'ended') {
    super(`A token is refused: ${why}`)
    this.why = why
  }
}

/** @param secrets the parts of SECRET_KEY, newest first. The older ones only decrypt and verify. */
export function createKeyring(secrets: string[]): Keyring {
  const derived = new Map<Purpose, KeyObject[]>()

  function keys(purpose: Purpose): KeyObject[] {
    let found = derived.get(purpose)
    if (!found) {
      found = secrets.map((secret) =>
        createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'inframe', purpose, 32))),
      )
      derived.set(purpose, found)
    }
    return found
  }

  function decryptWith(key: KeyObject, ciphertext: Buffer, context: string): string {
    // Without the length Node would also accept a shorter tag, which is easier to guess.
    const decipher = createDecipheriv('aes-256-gcm', key, ciphertext.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(context))
    decipher.setAuthTag(ciphertext.subarray(-TAG_BYTES))
    const body = ciphertext.subarray(NONCE_BYTES, -TAG_BYTES)
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
  }

  function encrypt(purpose: Purpose, plaintext: string, context: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', keys(purpose)[0]!, nonce)
    cipher.setAAD(Buffer.from(context))
    return Buffer.concat([nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
  }

  function decrypt(purpose: Purpose, ciphertext: Buffer, context: string): string {
    for (const key of keys(purpose)) {
      try {
        return decryptWith(key, ciphertext, context)
      } catch {
        // GCM cannot distinguish a wrong key from a changed text, so the next key is tried.
      }
    }
    throw new Error(`SECRET_KEY cannot read this ${purpose}: was a key that is still in use removed?`)
  }

  function contentOf(purpose: Purpose, context: string, token: string): Sealed {
    const bytes = Buffer.from(token, 'base64url')
    // Several texts are the same bytes. Only one of them is the token.
    if (bytes.toString('base64url') !== token) throw new TokenRefused('unknown')
    try {
      return JSON.parse(decrypt(purpose, bytes, context))
    } catch {
      // The fault says nothing that helps, and what it is about must not get into a log.
      throw new TokenRefused('unknown')
    }
  }

  return {
    keys,
    mac: (purpose, text) => createHmac('sha256', keys(purpose)[0]!).update(text).digest(),
    macs: (purpose, text) => keys(purpose).map((key) => createHmac('sha256', key).update(text).digest()),
    sign: (purpose, ...parts) => signatureOf(keys(purpose)[0]!, parts),
    isSigned: (purpose, signature, ...parts) =>
      signature.length === SIGNATURE_BYTES &&
      keys(purpose).some((key) => timingSafeEqual(signature, signatureOf(key, parts))),
    seal(purpose, context, content, seconds) {
      const sealed: Sealed = {
        content,
        ...(seconds !== undefined && { endsAt: Date.now() + seconds * 1000 }),
      }
      return encrypt(purpose, JSON.stringify(sealed), context).toString('base64url')
    },
    open(purpose, context, schema, token) {
      const { content, endsAt } = contentOf(purpose, context, token)
      if (endsAt !== undefined && Date.now() >= endsAt) throw new TokenRefused('ended')
      const { success, data } = schema.safeParse(content)
      if (!success) throw new TokenRefused('unknown')
      return data
    },
    encrypt,
    decrypt,
  }
}

interface Sealed {
  content: unknown
  /** Ms since 1970. */
  endsAt?: number
}

function signatureOf(key: KeyObject, parts: (string | Buffer)[]): Buffer {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest().subarray(0, SIGNATURE_BYTES)
}
