import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Config, loadConfig } from './config.ts'
import { configuredFaces, embeddedSize, tryDecoders } from './engines.ts'
import { BLANK_PICTURE } from './faces/blank-picture.ts'
import { createFaceWorkers } from './faces/embedded/networks/face-workers.ts'
import { createLog } from './log.ts'
import { createDecoders } from './photos/decoders.ts'
import { startTestApp } from './testing/app.ts'
import { folderOfFile } from './testing/folder-of-file.ts'

const sizeOf = (role: Config['role'], workers?: number) =>
  embeddedSize({ role, faces: { workers } as Config['faces'] }, 8)

describe('the embedded engine has', () => {
  test.each(['all', 'worker'] as const)('one process for each core, in the role %s', (role) => {
    expect(sizeOf(role)).toEqual({ size: 8, why: expect.stringContaining('give way to all else') })
  })

  test('one process where no photos are indexed', () => {
    expect(sizeOf('web')).toEqual({ size: 1, why: expect.stringContaining('indexes no photos') })
  })

  test.each(['all', 'web', 'worker'] as const)('as many as FACE_WORKERS says, in the role %s', (role) => {
    expect(sizeOf(role, 3)).toEqual({ size: 3, why: 'as FACE_WORKERS says' })
  })
})

const log = createLog('silent')
const SIGILL = `process.kill(process.pid, 'SIGILL')`
const MISSING = `throw new Error('Could not load the "sharp" module using the linux-x64 runtime\\nPossible solutions:')`

const folder = await folderOfFile()

async function program(text: string): Promise<URL> {
  const path = join(folder, `${crypto.randomUUID()}.mjs`)
  await writeFile(path, text)
  return pathToFileURL(path)
}

describe('a machine that cannot run', () => {
  test.each([
    [SIGILL, /^Pictures cannot be decoded .*SIGILL\. .*x64 with SSE4\.2\.$/],
    [MISSING, /^Pictures cannot be decoded .*Could not load the "sharp" module .*\. Run npm ci .*$/],
  ])('the decoders is named in one line', async (text, line) => {
    await expect(tryDecoders(createDecoders({ log, program: await program(text) }))).rejects.toThrow(line)
  })

  test.each([
    [SIGILL, '', /^FACE_RUNTIME: .*SIGILL, because .* processor lacks\. Set FACE_RUNTIME=wasm,.*$/],
    [
      `throw new Error('no such build')`,
      'native',
      /^FACE_RUNTIME: .*no such build\. Set FACE_RUNTIME=wasm,.*$/,
    ],
    [`throw new Error('no such build')`, 'wasm', /^FACE_RUNTIME: .*no such build\. Run npm ci .*$/],
  ])('the face engine is named in one line', async (text, FACE_RUNTIME, line) => {
    const workers = createFaceWorkers({ log, size: 1, program: await program(text) })
    const parts = { log, workers } as unknown as Parameters<typeof configuredFaces>[1]
    await expect(configuredFaces(loadConfig({ FACE_RUNTIME }), parts)).rejects.toThrow(line)
  })
})

test('a process whose decoders no longer start is not ready', async () => {
  const decoders = createDecoders({ log, program: await program(SIGILL) })
  const service = await startTestApp({ work: false, decoders, env: { FACES: 'embedded' } })
  onTestFinished(() => service.close())
  expect(await service.context.readiness.isReady()).toBe(true)
  const asked = decoders.render('thumb', async () => BLANK_PICTURE)
  await expect(asked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await expect.poll(() => service.context.readiness.isReady(), { timeout: 5_000 }).toBe(false)
  expect(await service.context.readiness.dependencies(['decoders'])).toMatchObject({
    decoders: { ok: false },
  })
})
