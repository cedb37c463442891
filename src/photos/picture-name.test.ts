import { describe, expect, test } from 'vitest'
import { pictureName } from './picture-name.ts'

describe('the name of a saved picture', () => {
  test.each([
    ['IMG_0001.jpg', 'IMG_0001.jpg'],
    ['IMG_0001.JPEG', 'IMG_0001.JPEG'],
    ['Fête – 花.jpg', 'Fête – 花.jpg'],
    ['חתונה.jpg', 'חתונה.jpg'],
    ['party.tar.jpg', 'party.tar.jpg'],
  ])('is kept when its extension is right: %s', (given, expected) => {
    expect(pictureName(given, 'image/jpeg')).toBe(expected)
  })

  test.each([
    ['invoice.exe', 'invoice.jpg'],
    ['photo.jpg.html', 'photo.jpg'],
    ['photo.png', 'photo.jpg'],
    ['Party 3.5', 'Party 3.5.jpg'],
    ['photo.jpg. .', 'photo.jpg'],
    ['photo.jpg\u3000', 'photo.jpg'],
    ['.htaccess', 'htaccess.jpg'],
    ['...', 'photo.jpg'],
    ['', 'photo.jpg'],
    [' .exe', 'exe.jpg'],
  ])('ends in the extension of its type: %j', (given, expected) => {
    expect(pictureName(given, 'image/jpeg')).toBe(expected)
  })

  test('has no control characters and none that change the direction of text', () => {
    const marks = ['\u061c', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e']
    for (const mark of [...marks, '\u2066', '\u2069', '\u2028', '\0', '\r\n', '\x85'])
      expect(pictureName(`photo${mark}gpj.exe`, 'image/jpeg')).toBe('photogpj.jpg')
    expect(pictureName('photo.jpg\u202e', 'image/jpeg')).toBe('photo.jpg')
  })

  test('has no character that Windows does not accept', () => {
    expect(pictureName('Anna & Ben: "yes" <3 | 1*1?.jpg', 'image/jpeg')).toBe(
      'Anna & Ben_ _yes_ _3 _ 1_1_.jpg',
    )
  })

  test.each([
    'あ'.repeat(120),
    '😀'.repeat(100),
    `a${'😀'.repeat(100)}`,
    'e\u0301'.repeat(99),
    'a'.repeat(300),
  ])('has at most 255 bytes, whole characters, and its extension: %#', (long) => {
    for (const given of [`${long}.JPG`, `${long}.png`, `com1.${long}.jpg`, long]) {
      const name = pictureName(given, 'image/jpeg')
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
      expect(Buffer.byteLength(name)).toBeGreaterThan(250)
      expect(name).toMatch(/\.jpg$/i)
      expect(Buffer.from(name).toString()).toBe(name)
      expect(name).not.toContain('\ufffd')
    }
  })

  test('has no half of a character', () => {
    expect(pictureName('a\ud83d.jpg', 'image/jpeg')).toBe('a\ufffd.jpg')
  })

  test('is none that Windows reserves', () => {
    for (const name of ['CON', 'nul.jpg', 'com1.photo.jpg', 'Lpt².jpg'])
      expect(pictureName(name, 'image/jpeg')).toMatch(/^_.*\.jpg$/)
    expect(pictureName('console.jpg', 'image/jpeg')).toBe('console.jpg')
  })
})
