import { expect, test } from 'vitest'
import { SELFIE_MAX_BYTES } from '../../../../src/contract/limits.ts'
import { selfieFile as texts } from '../../../../src/texts/english/search.ts'
import { selfieProblem } from './use-selfie-input.ts'

const file = (name: string, type: string, size = 10) => ({ name, type, size }) as File

test('one picture of a known kind with up to ten megabytes is a selfie', () => {
  for (const selfie of [file('me.jpg', 'image/jpeg', SELFIE_MAX_BYTES), file('me.webp', 'image/webp', 1)])
    expect(selfieProblem([selfie])).toBeUndefined()
})

test.for([
  ['a PDF', [file('me.pdf', 'application/pdf')], texts.wrongType],
  ["an iPhone's own format", [file('IMG_0001.HEIC', 'image/heic')], texts.wrongType],
  ['one byte too many', [file('me.jpg', 'image/jpeg', SELFIE_MAX_BYTES + 1)], texts.tooLarge],
  ['nothing', [file('me.jpg', 'image/jpeg', 0)], texts.tooSmall],
  ['two photos', [file('a.jpg', 'image/jpeg'), file('b.jpg', 'image/jpeg')], texts.tooMany],
] as const)('%s cannot be a selfie', ([_what, files, title]) => {
  expect(selfieProblem(files)).toMatchObject({ title })
})
