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

  test.each([
    ['in capitals, with spaces, without dashes', ' K7WD 3MZTX9RB '],
    ['with the dashes that phones make', 'k7wd–3mzt—x9rb'],
    ['with a minus, a hyphen that does not break, and a soft one', 'k7wd\u22123mzt\u2011x9\u00adrb'],
    ['with invisible characters', '\u200bk7wd-\u20603mzt-x9rb\ufeff'],
    ['in full width', 'ｋ７ｗｄ－３ｍｚｔ－ｘ９ｒｂ'],
    ['in quotation marks', '“k7wd-3mzt-x9rb”'],
    ['in stars, as messengers write bold', '*k7wd-3mzt-x9rb*'],
    ['with a full stop', 'k7wd-3mzt-x9rb.'],
    ['with underscores and a line break', 'k7wd_3mzt_\nx9rb'],
    ['after its label', 'Password: k7wd-3mzt-x9rb'],
    [
      'inside a whole message',
      'See the photos of Garden Party: https://photos.example/album/garden-party\nPassword: K7wd-3mzt-x9rb\nSee you!',
    ],
  ])('is the right one %s', (_, given) => {
    expect(passwordMatches(given, 'k7wd-3mzt-x9rb')).toBe(true)
  })

  test.each([
    ['nothing', ''],
    ['a part of it', 'k7wd-3mzt-x9r'],
    ['more than it', 'k7wd-3mzt-x9rbb'],
    ['another order', 'x9rb-3mzt-k7wd'],
    ['two passwords in one text', 'k7wd-3mzt-x9rb or bbbb-cccc-dddd'],
    ['a longer word around it', 'ak7wd-3mzt-x9rb'],
  ])('is not %s', (_, given) => {
    expect(passwordMatches(given, 'k7wd-3mzt-x9rb')).toBe(false)
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
