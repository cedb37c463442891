import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, open, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A disk of its own, in memory, that a test may fill. */
export interface SmallDisk {
  path: string
  /** Takes the space that is free now but for some bytes, as another program may do. What is deleted meanwhile stays free.
   *  @returns a function that gives it back */
  fill(free: number): Promise<() => Promise<void>>
  remove(): Promise<void>
}

/** @param megabytes its size
 *  @returns undefined where this account may not mount a file system */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | undefined> {
  const parent = await mkdtemp(join(tmpdir(), 'inframe-disk-'))
  // The account of Postgres has to reach it.
  await chmod(parent, 0o755)
  const path = join(parent, 'disk')
  await mkdir(path)
  const options = `size=${megabytes}m,mode=0755`
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'inframe-test', path]).status !== 0) {
    await rm(parent, { recursive: true })
    return undefined
  }
  return {
    path,
    async fill(free) {
      const filler = join(path, 'filler')
      await fillDisk(filler, free)
      return () => rm(filler)
    },
    async remove() {
      // Lazily, so that a process that still ends there does not matter.
      spawnSync('umount', ['--lazy', path])
      await rm(parent, { recursive: true })
    },
  }
}

async function fillDisk(path: string, free: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path))
  let left = bavail * bsize - free
  const file = await open(path, 'w')
  try {
    for (let block = Buffer.alloc(2 ** 20); block.length > 0 && left > 0; )
      try {
        const { bytesWritten } = await file.write(block.subarray(0, left))
        left -= bytesWritten
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        block = block.subarray(0, Math.floor(block.length / 2))
      }
  } finally {
    await file.close()
  }
}
