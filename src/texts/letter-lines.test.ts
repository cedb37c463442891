import { expect, test } from 'vitest'
import { alertLetters, letterParts, optOutsLetter, readyLetter, unconfirmedLetter } from './english.ts'

test('no line of a letter is longer than 80 characters', () => {
  const tables = [letterParts, readyLetter, unconfirmedLetter, optOutsLetter, alertLetters]
  const texts = tables.flatMap((table) => Object.values(table)).filter((text) => typeof text === 'string')
  const lines = texts.flatMap((text) => text.split('\n'))
  expect(lines.length).toBeGreaterThan(20)
  expect(lines.filter((line) => line.length > 80)).toEqual([])
})
