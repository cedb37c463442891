import { spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const BLOCK = 65_536

export type SmallDisk = NonNullable<Awaited<ReturnType<typeof mountSmallDisk>>>

/** A disk of its own, in memory, that a test may fill.
 *  @param megabytes its size
 *  @returns undefined where this account may not mount a file system */
export async function mountSmallDisk(megabytes: number) {
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
    /** Takes the space that is free now but for some bytes, as another program may do. What is deleted meanwhile stays free.
     *  @returns a function that gives it back */
    async fill(free: number): Promise<() => Promise<void>> {
      const filler = join(path, 'filler')
      const { bavail, bsize } = await statfs(path)
      // It ends early when others have taken some of the space meanwhile.
      const blocks = Math.floor((bavail * bsize - free) / BLOCK)
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, `bs=${BLOCK}`, `count=${blocks}`])
      return () => rm(filler)
    },
    async remove() {
      // Lazily, so that a process that still ends there does not matter.
      spawnSync('umount', ['--lazy', path])
      await rm(parent, { recursive: true })
    },
  }
}
