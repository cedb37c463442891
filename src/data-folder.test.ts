import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeDataFolder } from './data-folder.ts'

async function place(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'inframe-data-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

test('a data folder is made with the folders above it, and an existing one is taken as it is', async () => {
  const folder = join(await place(), 'one', 'two')
  await makeDataFolder(folder)
  await makeDataFolder(folder)
  expect((await stat(folder)).isDirectory()).toBe(true)
})

test('a folder that takes no other is named at once', async () => {
  await expect(makeDataFolder('/proc/x')).rejects.toThrow(/^DATA_DIR: \/proc\/x cannot be created \(ENOENT/)
  await expect(makeDataFolder('/proc/x/y')).rejects.toThrow(/^DATA_DIR: \/proc\/x\/y cannot be created/)
})

test('a file in the place of the folder is named', async () => {
  const file = join(await place(), 'file')
  await writeFile(file, '')
  await expect(makeDataFolder(file)).rejects.toThrow('EEXIST')
  await expect(makeDataFolder(join(file, 'inside'))).rejects.toThrow('ENOTDIR')
})
