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

/** What a key is for. Keys of different purposes have only SECRET_KEY in common. */
type Purpose =
  | 'session'
  | 'album-password'
  | 'photo-link'
  | 'found-page'
  | 'ticket'
  | 'search-ticket'
  | 'address-hash'
  | 'letter-link'
  | 'letter-address'
  | 'mail-token'
  | 'audit-log'
  | 'found-faces'
  | 'asked-face'
  | 'opted-out-person'
  | 'opt-out-receipt'
  | 'photo-alert'
  | 'zip'
  | 'erased-name'
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
  /** AES-256-GCM under the newest key. Decrypting needs the same `context` (an id). */
  encrypt(purpose: Purpose, plaintext: string, context: string): Buffer
  /** Throws when no key of the ring fits. */
  decrypt(purpose: Purpose, ciphertext: Buffer, context: string): string
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
    const decipher = createDecipheriv('aes-256-gcm', key, ciphertext.subarray(0, NONCE_BYTES))
    decipher.setAAD(Buffer.from(context))
    decipher.setAuthTag(ciphertext.subarray(-TAG_BYTES))
    const body = ciphertext.subarray(NONCE_BYTES, -TAG_BYTES)
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
  }

  return {
    keys,
    mac: (purpose, text) => createHmac('sha256', keys(purpose)[0]!).update(text).digest(),
    macs: (purpose, text) => keys(purpose).map((key) => createHmac('sha256', key).update(text).digest()),
    sign: (purpose, ...parts) => signatureOf(keys(purpose)[0]!, parts),
    isSigned: (purpose, signature, ...parts) =>
      signature.length === SIGNATURE_BYTES &&
      keys(purpose).some((key) => timingSafeEqual(signature, signatureOf(key, parts))),
    encrypt(purpose, plaintext, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keys(purpose)[0]!, nonce)
      cipher.setAAD(Buffer.from(context))
      return Buffer.concat([nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    decrypt(purpose, ciphertext, context) {
      for (const key of keys(purpose)) {
        try {
          return decryptWith(key, ciphertext, context)
        } catch {
          // GCM cannot distinguish a wrong key from a changed text, so the next key is tried.
        }
      }
      throw new Error(`SECRET_KEY cannot read this ${purpose}: was a key that is still in use removed?`)
    },
  }
}

function signatureOf(key: KeyObject, parts: (string | Buffer)[]): Buffer {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest().subarray(0, SIGNATURE_BYTES)
}
