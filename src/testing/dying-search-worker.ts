/** The thread that searches albums. It dies when it is asked for an album whose id is `throws`, `ends` or the name of a
 *  file in the folder for temporary files. */
import { unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import '../faces/embedded/search-worker.ts'
import type { Order } from '../faces/embedded/search-worker.ts'

parentPort!.on('message', (order: Order) => {
  if (order.kind !== 'search') return
  const [first = ''] = order.albumIds
  if (first === 'throws') throw new Error('a mistake in the thread')
  if (first === 'ends' || isThere(first)) process.exit(1)
})

/** Whether this is a file. It is removed, so that the next thread does not find it. */
function isThere(file: string): boolean {
  try {
    unlinkSync(join(tmpdir(), file))
    return true
  } catch {
    return false
  }
}
