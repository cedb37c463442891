import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import wabt from 'wabt'
import { compiledModule } from './near-codes.ts'

test('the compiled module is that of its text', async () => {
  const path = `${import.meta.dirname}/near-codes.wat`
  const { parseWat } = await wabt()
  const { buffer } = parseWat(path, await readFile(path, 'utf8')).toBinary({})
  expect(Buffer.from(buffer).toString('base64')).toBe(compiledModule)
})
