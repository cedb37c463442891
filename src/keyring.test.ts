import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createKeyring, type TokenRefused } from './keyring.ts'

const ALBUM = 'album-1'

test('decrypts its own ciphertexts, which differ each time', () => {
  const keyring = createKeyring(['secret'])
  const first = keyring.encrypt('album-password', 'Ünïcode 🎉', ALBUM)
  const second = keyring.encrypt('album-password', 'Ünïcode 🎉', ALBUM)
  expect(keyring.decrypt('album-password', first, ALBUM)).toBe('Ünïcode 🎉')
  expect(first.equals(second)).toBe(false)
  expect(first.includes('code')).toBe(false)
  expect(keyring.decrypt('album-password', keyring.encrypt('album-password', '', ALBUM), ALBUM)).toBe('')
})

test('decrypts what an older key encrypted, until that key is removed', () => {
  const written = createKeyring(['old']).encrypt('album-password', 'word', ALBUM)
  expect(createKeyring(['new', 'old']).decrypt('album-password', written, ALBUM)).toBe('word')
  expect(createKeyring(['newest', 'new', 'old']).decrypt('album-password', written, ALBUM)).toBe('word')
  expect(() => createKeyring(['new']).decrypt('album-password', written, ALBUM)).toThrow(
    'SECRET_KEY cannot read this album-password',
  )
})

test('encrypts and signs with the newest key', () => {
  const rotated = createKeyring(['new', 'old'])
  const newest = createKeyring(['new'])
  const written = rotated.encrypt('album-password', 'word', ALBUM)
  expect(newest.decrypt('album-password', written, ALBUM)).toBe('word')
  expect(rotated.mac('photo-link', 'text').equals(newest.mac('photo-link', 'text'))).toBe(true)
})

test('does not decrypt a ciphertext of another context, or one that was changed or cut', () => {
  const keyring = createKeyring(['secret'])
  const written = keyring.encrypt('album-password', 'word', ALBUM)
  expect(() => keyring.decrypt('album-password', written, 'album-2')).toThrow('SECRET_KEY cannot read')
  for (const at of [0, 12, written.length - 1]) {
    const changed = Buffer.from(written)
    changed[at] = changed[at]! ^ 1
    expect(() => keyring.decrypt('album-password', changed, ALBUM), `byte ${at}`).toThrow()
  }
  for (const length of [0, 5, 12, 27, written.length - 1])
    expect(() => keyring.decrypt('album-password', written.subarray(0, length), ALBUM)).toThrow()
})

test('shares no key between purposes or secrets', () => {
  const keyring = createKeyring(['secret', 'older'])
  const purposes = ['session', 'album-password', 'photo-link', 'address-hash', 'mail-token'] as const
  const keys = purposes.flatMap((purpose) => keyring.keys(purpose).map((key) => key.export()))
  expect(keys.every((key) => key.length === 32)).toBe(true)
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(10)
  const written = keyring.encrypt('album-password', 'word', ALBUM)
  expect(() => keyring.decrypt('mail-token', written, ALBUM)).toThrow('SECRET_KEY cannot read')
})

describe('a token', () => {
  const content = z.object({ id: z.string() })
  const keyring = createKeyring(['secret'])
  const token = keyring.seal('opt-out-receipt', ALBUM, { id: 'x' }, 60)
  const why = (open: () => unknown) => {
    try {
      return open()
    } catch (error) {
      return (error as TokenRefused).why
    }
  }

  test('gives back what was sealed, until it ends, and shows nothing', () => {
    expect(token).toMatch(/^[\w-]+$/)
    expect(Buffer.from(token, 'base64url').includes('"id"')).toBe(false)
    expect(createKeyring(['new', 'secret']).open('opt-out-receipt', ALBUM, content, token)).toEqual({
      id: 'x',
    })
    vi.useFakeTimers({ now: Date.now() + 60_000 })
    expect(why(() => keyring.open('opt-out-receipt', ALBUM, content, token))).toBe('ended')
    vi.useRealTimers()
  })

  test('is refused for another purpose, context or form, without its key, and when any part of it was changed', () => {
    const changed = [...token].map(
      (letter, at) => `${token.slice(0, at)}${letter === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`,
    )
    for (const text of [...changed, `${token}A`, token.slice(0, -1), `${token}=`, '', '🎉'])
      expect(
        why(() => keyring.open('opt-out-receipt', ALBUM, content, text)),
        text,
      ).toBe('unknown')
    for (const open of [
      () => keyring.open('search', ALBUM, content, token),
      () => keyring.open('opt-out-receipt', 'album-2', content, token),
      () => keyring.open('opt-out-receipt', ALBUM, z.string(), token),
      () => createKeyring(['new']).open('opt-out-receipt', ALBUM, content, token),
    ])
      expect(why(open)).toBe('unknown')
  })
})
