import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A new folder for the tests of a file, which is removed at their end. */
export async function folderOfFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'inframe-test-'))
  afterAll(() => rm(folder, { recursive: true }))
  return folder
}
