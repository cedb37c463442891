import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
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
  const { models, saveProblem } = await loadModels(runtime, folder)
  expect(await landmarksFound(models)).toBe(68)
  expect(saveProblem).toBeUndefined()
  expect((await stat(file)).ino).toBe(before.ino)
  expect(await readdir(folder)).toHaveLength(4)
})

test('where nothing can be written, the networks still work, and the reason is given', async () => {
  const { models, saveProblem } = await loadModels(runtime, join(await fileOf('landmarks'), 'below-a-file'))
  expect(await landmarksFound(models)).toBe(68)
  expect(saveProblem).toMatchObject({ code: 'ENOTDIR' })
})
