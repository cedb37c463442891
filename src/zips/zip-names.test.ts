import { expect, test } from 'vitest'
import { numbered, numbersOf } from './zip-names.ts'

function uniqueNames(names: string[]): string[] {
  const numbers = numbersOf(names)
  return names.map((name, index) => numbered(name, numbers[index]!))
}

test('a name that is there already gets a number before its extension', () => {
  expect(uniqueNames(['a.jpg', 'b.jpg', 'a.jpg', 'a.jpg'])).toEqual([
    'a.jpg',
    'b.jpg',
    'a (2).jpg',
    'a (3).jpg',
  ])
})

test('names that differ in upper and lower case only, or in how an accent is written, are the same', () => {
  expect(uniqueNames(['Ä.jpg', 'ä.JPG', 'A\u0308.jpg'])).toEqual(['Ä.jpg', 'ä (2).JPG', 'A\u0308 (3).jpg'])
})

test('a number is not given twice, even when a file has that name itself', () => {
  expect(uniqueNames(['a (2).jpg', 'a.jpg', 'a.jpg'])).toEqual(['a (2).jpg', 'a.jpg', 'a (3).jpg'])
  expect(uniqueNames(['a.jpg', 'a.jpg', 'a (2).jpg'])).toEqual(['a.jpg', 'a (2).jpg', 'a (2) (2).jpg'])
})

test('thousands of equal names take no time', () => {
  const names = uniqueNames(Array.from({ length: 20_000 }, () => 'IMG.jpg'))
  expect(new Set(names).size).toBe(20_000)
  expect(names.at(-1)).toBe('IMG (20000).jpg')
})

test('a name of 255 bytes stays that short with its number, and differs from all others', () => {
  const long = `${'あ'.repeat(83)}.jpg`
  const names = uniqueNames(Array.from({ length: 12 }, () => long))
  expect(new Set(names).size).toBe(12)
  for (const [index, name] of names.entries()) {
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
    expect(name).toMatch(index === 0 ? /^あ+\.jpg$/ : /^あ+ \(\d+\)\.jpg$/)
  }
})
