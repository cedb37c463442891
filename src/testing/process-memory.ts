import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'

const PAGE_BYTES = 4096

/** The memory of a service. */
export interface ProcessMemory {
  /** Bytes (resident set) of the process and of all processes that it has started, after a garbage collection in the
   *  process itself. */
  used(): Promise<number>
  close(): void
}

/** Starts the inspector of a process, because only it can ask for a garbage collection. Without one, memory that was
 *  used for a moment looks like memory that is lost. Linux only.
 *  @param child was started with `--inspect-port=0` */
export async function watchMemory(child: ChildProcess): Promise<ProcessMemory> {
  const address = new Promise<string>((resolve) => {
    createInterface({ input: child.stderr! }).on('line', (line) => {
      const match = /^Debugger listening on (ws:\S+)$/.exec(line)
      if (match) resolve(match[1]!)
    })
  })
  child.kill('SIGUSR1')
  const inspector = new WebSocket(await address)
  await once(inspector, 'open')
  return {
    async used() {
      const collected = once(inspector, 'message')
      inspector.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
      await collected
      return await residentBytes(child.pid!)
    },
    close: () => inspector.close(),
  }
}

/** Of a process and its descendants. Processes that end meanwhile count as 0. */
async function residentBytes(pid: number): Promise<number> {
  const children = await read(`/proc/${pid}/task/${pid}/children`)
  const own = Number((await read(`/proc/${pid}/statm`)).split(' ')[1] ?? 0) * PAGE_BYTES
  const theirs = await Promise.all(children.split(' ').filter(Boolean).map(Number).map(residentBytes))
  return theirs.reduce((sum, bytes) => sum + bytes, own)
}

async function read(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => '')
}
