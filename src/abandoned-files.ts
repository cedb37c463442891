import { rm, stat } from 'node:fs/promises'

/** Removes a file that is older than this many ms. A file that has disappeared is ignored: another process has removed
 *  it, or its writer has moved it to its final place. */
export async function removeIfOlder(path: string, ms: number): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (found && Date.now() - found.mtimeMs > ms) await rm(path, { force: true })
}
