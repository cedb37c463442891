import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { folderOfFile } from '../testing/folder-of-file.ts'
import { zipBytes, zipStream } from './zip-stream.ts'

const run = promisify(execFile)
const folder = await folderOfFile()

/** What Info-ZIP's unzip says about the zip of these files, somewhere in the world. */
async function listed(entries: Parameters<typeof zipStream>[0], zone: string) {
  const open = async (index: number) => Readable.from([Buffer.alloc(entries[index]!.size, index)])
  const zip = await buffer(Readable.from(zipStream(entries, open)))
  expect(zip).toHaveLength(zipBytes(entries))
  const path = join(folder, 'any.zip')
  await writeFile(path, zip)
  const env = { ...process.env, LC_ALL: 'C.UTF-8', TZ: zone }
  expect((await run('unzip', ['-tq', path], { env })).stdout).toContain('No errors detected')
  const { stdout } = await run('unzip', ['-ZT', path], { env, maxBuffer: 1e7 })
  return stdout.trim().split('\n').slice(2, -1)
}

test('a time whose zone is known is the same instant everywhere; another is what the clock said', async () => {
  const clock = '2025-08-19T14:03:22'
  const entries = [
    { name: 'known.jpg', size: 10, clock, instant: new Date(`${clock}+02:00`) },
    { name: 'not.jpg', size: 10, clock, instant: undefined },
  ]
  expect(await listed(entries, 'UTC-9')).toEqual([
    expect.stringContaining('20250819.210322 known.jpg'),
    expect.stringContaining('20250819.140322 not.jpg'),
  ])
})

test('thousands of files with names of 255 bytes, and none, are whole zips of the length that was said', async () => {
  const entries = Array.from({ length: 3_000 }, (_, index) => ({
    name: `${'あ'.repeat(82)}${index + 1_000}x.jpg`,
    size: index % 50,
    clock: '1970-01-01T00:00:00',
    instant: new Date(index),
  }))
  expect(Buffer.byteLength(entries[0]!.name)).toBe(255)
  const lines = await listed(entries, 'UTC')
  expect(lines).toHaveLength(3_000)
  expect(lines.at(-1)).toContain(entries.at(-1)!.name)
  expect(zipBytes([])).toBe(22)
})
