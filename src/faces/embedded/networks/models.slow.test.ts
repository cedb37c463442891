import { copyFile, mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANDMARK_SIZE } from './landmark-graph.ts'
import { loadModels, type Models } from './models.ts'
import { loadRuntime, type Runtime } from './runtime.ts'

let folder: string
let runtime: Runtime
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inframe-models-'))
  runtime = await loadRuntime()
  await loadModels(runtime, folder)
})
afterAll(() => rm(folder, { recursive: true }))

const fileOf = async (name: string) =>
  join(folder, (await readdir(folder)).find((file) => file.startsWith(name))!)

async function landmarksFound({ landmarks }: Models): Promise<number> {
  const dims = [1, LANDMARK_SIZE, LANDMARK_SIZE, 3]
  const answer = await landmarks.run({ data: new Float32Array(LANDMARK_SIZE * LANDMARK_SIZE * 3), dims })
  return answer.landmarks!.data.length / 2
}

test('the networks are written once, and loaded from their files after that', async () => {
  const file = await fileOf('landmarks')
  const before = await stat(file)
  const { models, ...problems } = await loadModels(runtime, folder)
  expect(await landmarksFound(models)).toBe(68)
  expect(problems).toEqual({})
  expect((await stat(file)).ino).toBe(before.ino)
  expect(await readdir(folder)).toHaveLength(4)
})

test.for([
  ['cut short', (file: string) => truncate(file, 100_000)],
  ['empty', (file: string) => truncate(file, 0)],
  ['something else', (file: string) => writeFile(file, 'not a network')],
  ['another network', async (file: string) => copyFile(await fileOf('recognition'), file)],
  ['wrong in one byte', changeOneByte],
] as const)('a file that is %s is written again, and the reason is given', async ([, harm]) => {
  const file = await fileOf('landmarks')
  const good = await readFile(file)
  await harm(file)
  const { models, damage } = await loadModels(runtime, folder)
  expect(await landmarksFound(models)).toBe(68)
  expect((await readFile(file)).equals(good)).toBe(true)
  expect(damage).toMatchObject({ message: expect.stringContaining(file) })
})

/** In a weight, so that the network still loads. */
async function changeOneByte(path: string): Promise<void> {
  const file = await open(path, 'r+')
  const place = Math.floor((await file.stat()).size / 2)
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, place)
  await file.write(Buffer.of(buffer[0]! ^ 1), 0, 1, place)
  await file.close()
  await runtime.load(path)
}

test('where nothing can be written, the networks still work, and the reason is given', async () => {
  const { models, saveProblem } = await loadModels(runtime, join(await fileOf('landmarks'), 'below-a-file'))
  expect(await landmarksFound(models)).toBe(68)
  expect(saveProblem).toMatchObject({ code: 'ENOTDIR' })
})
