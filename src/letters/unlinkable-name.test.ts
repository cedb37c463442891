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
