import { once } from 'node:events'
import { existsSync, watch } from 'node:fs'
import { dirname } from 'node:path'

/** Resolves when the file exists. */
export async function waitForFile(path: string): Promise<void> {
  const watcher = watch(dirname(path))
  while (!existsSync(path)) await once(watcher, 'change')
  watcher.close()
}

/** Takes more and more memory, and lets the process do other things meanwhile. */
export async function eatMemory(): Promise<never> {
  const eaten: Buffer[] = []
  for (;;) {
    eaten.push(Buffer.alloc(8_000_000, 1))
    await new Promise(setImmediate)
  }
}
