import { mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStaging } from './staging.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inframe-staging-'))
  await writeFile(join(folder, 'old'), 'half')
  await writeFile(join(folder, 'new'), 'half')
  const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000)
  await utimes(join(folder, 'old'), twoHoursAgo, twoHoursAgo)
})
afterEach(() => rm(folder, { recursive: true }))

test('a folder that processes share loses only its old files at the start', async () => {
  await createStaging(folder, false)
  expect(await readdir(folder)).toEqual(['new'])
})

test('a folder of one process loses all its files at the start', async () => {
  await createStaging(folder, true)
  expect(await readdir(folder)).toEqual([])
})

test('the start goes on when a file disappears at the same moment', async () => {
  // Listed in the folder, but no longer found.
  await symlink(join(folder, 'missing'), join(folder, 'moved'))
  await createStaging(folder, false)
  expect(await readdir(folder)).toEqual(['moved', 'new'])
})
