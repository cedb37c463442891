import { describe, expect, test } from 'vitest'
import { createKeyring } from '../keyring.ts'
import { decryptPassword, encryptPassword, makePassword, passwordMatches } from './password.ts'

describe('an album password', () => {
  test('has at least 50 bits, and no letters that look alike', () => {
    const alphabet = new Set<string>()
    for (let made = 0; made < 500; made++) {
      const password = makePassword()
      expect(password).toMatch(/^[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4}$/)
      for (const character of password.replaceAll('-', '')) alphabet.add(character)
    }
    expect(12 * Math.log2(alphabet.size)).toBeGreaterThan(50)
    for (const lookAlike of '01loi') expect(alphabet).not.toContain(lookAlike)
  })

  test('can be typed in capitals, with spaces or without dashes', () => {
    for (const typed of ['k7wd-3mzt-x9rb', 'K7WD-3MZT-X9RB', 'k7wd3mztx9rb', ' k7wd 3mzt x9rb '])
      expect(passwordMatches(typed, 'k7wd-3mzt-x9rb')).toBe(true)
    for (const typed of ['', 'k7wd-3mzt-x9r', 'k7wd-3mzt-x9rbb', 'x9rb-3mzt-k7wd'])
      expect(passwordMatches(typed, 'k7wd-3mzt-x9rb')).toBe(false)
  })

  test('is stored encrypted, and can be read with an older key, in its own album only', () => {
    const old = createKeyring(['the first secret of this service'])
    const cipher = encryptPassword(old, 'k7wd-3mzt-x9rb', 'party')
    expect(cipher.toString('latin1')).not.toContain('k7wd')
    const rotated = createKeyring(['the second secret of this service', 'the first secret of this service'])
    expect(decryptPassword(rotated, { password_cipher: cipher, slug: 'party' })).toBe('k7wd-3mzt-x9rb')
    expect(() => decryptPassword(rotated, { password_cipher: cipher, slug: 'other' })).toThrow(/SECRET_KEY/)
  })
})
