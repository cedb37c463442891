import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unlinkableName } from './unlinkable-name.ts'

test.each([
  ['My Summer Wedding, 2025', 'My Summer Wedding, 2025'],
  ["Mira & Jonas' Party", "Mira & Jonas' Party"],
  ['Klassentreffen 10-12', 'Klassentreffen 10-12'],
  ['حفل زفاف 🎉', 'حفل زفاف'],
  ['结婚', '结婚'],
  ['می\u200cشود', 'میشود'],
  ['Company Summer Party at the Lake, with Families', 'Company Summer Party at the Lake, with…'],
  ['🎉🎂!!!', ''],
])('keeps the words of %j', (name, expected) => {
  expect(unlinkableName(name)).toBe(expected)
})

test.each([
  ['https://evil.example/login?a=b', 'https evil example login a b'],
  ['Win at evil.example', 'Win at evil example'],
  ['www.пример.рф', 'www пример рф'],
  ['evil。example', 'evil example'],
  ['evil\u2024example', 'evil example'],
  ['evil\u200b.\u2060example', 'evil example'],
  ['me＠evil．example', 'me evil example'],
  ['mailto:me@evil.example', 'mailto me evil example'],
  ['℀ evil ⒈example', 'a c evil 1 example'],
  ['Call +49 (30) 1234-567', 'Call'],
  ['Call ٠٨٠٠١٢٣٤٥', 'Call'],
  ['two\r\nlines \u202egnp', 'two lines gnp'],
  ['<b>"x"</b>', 'b x b'],
])('leaves no link in %j', (name, expected) => {
  expect(unlinkableName(name)).toBe(expected)
})

const PARTS = fc.constantFrom(
  ...'./:@?#%\\'.split(''),
  'http://',
  'www.',
  'evil',
  '.com',
  'tel:',
  '。',
  '．',
  '｡',
  '\u2024',
  '\u200b',
  '\u2060',
  '\u00ad',
  '\u202e',
  '\r\n',
  '⒈',
  '℀',
  '㏂',
  '0800',
  '１２３４',
  '\ud800',
)
const anyName = fc
  .array(fc.oneof(PARTS, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 40 })
  .map((parts) => parts.join(''))

test('of any text is short, and has no sign that a link needs', () => {
  fc.assert(
    fc.property(anyName, (text) => {
      const name = unlinkableName(text)
      expect(name).toMatch(/^[\p{L}\p{M}\p{Nd} ,'’&-]*…?$/u)
      expect([...name].length).toBeLessThanOrEqual(40)
      expect((name.match(/\p{Nd}/gu) ?? []).length).toBeLessThanOrEqual(6)
      // A mail program that normalises the text finds nothing more.
      expect(name.replace(/…$/, '').normalize('NFKC')).toMatch(/^[\p{L}\p{M}\p{Nd} ,'’&-]*$/u)
    }),
    { numRuns: 1000 },
  )
})
