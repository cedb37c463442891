import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { residentBytesOf } from '../../../src/processes/process-figures.ts'

/** Asks for a garbage collection in a process, without which memory that was used for a moment looks like memory that is
 *  lost. Only the inspector of the process can do that.
 *  @param child was started with `--inspect-port=0` */
export async function garbageCollector(child: ChildProcess): Promise<() => Promise<void>> {
  const address = new Promise<string>((resolve) => {
    createInterface({ input: child.stderr! }).on('line', (line) => {
      const match = /^Debugger listening on (ws:\S+)$/.exec(line)
      if (match) resolve(match[1]!)
    })
  })
  child.kill('SIGUSR1')
  const inspector = new WebSocket(await address)
  await once(inspector, 'open')
  return () =>
    new Promise((resolve) => {
      inspector.onmessage = inspector.onclose = () => resolve()
      inspector.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
    })
}

/** The memory of a process and all that it has started, in bytes. Processes that end meanwhile count as 0. */
export async function memoryOfAll(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const theirs = await Promise.all(children.split(' ').filter(Boolean).map(Number).map(memoryOfAll))
  return theirs.reduce((sum, bytes) => sum + bytes, residentBytesOf(pid))
}
