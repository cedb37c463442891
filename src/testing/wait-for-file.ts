import { once } from 'node:events'
import { existsSync, watch } from 'node:fs'
import { dirname } from 'node:path'

/** Resolves when the file exists. */
export async function waitForFile(path: string): Promise<void> {
  const watcher = watch(dirname(path))
  while (!existsSync(path)) await once(watcher, 'change')
  watcher.close()
}
