import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

test('after the installation there are only the libraries of this system', async () => {
  const runtime = dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'))
  const [version] = (await readdir(join(runtime, 'bin'))) as [string]
  const systems = await readdir(join(runtime, 'bin', version))
  expect(systems).toEqual([process.platform])
  expect(await readdir(join(runtime, 'bin', version, process.platform))).toEqual([process.arch])
})
