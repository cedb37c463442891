/** The thread that searches albums. It dies when it is asked for an album whose id is `throws` or `ends`. */
import { parentPort } from 'node:worker_threads'
import '../faces/embedded/search-worker.ts'
import type { Order } from '../faces/embedded/search-worker.ts'

parentPort!.on('message', (order: Order) => {
  if (order.kind !== 'search') return
  if (order.albumIds[0] === 'throws') throw new Error('a mistake in the thread')
  if (order.albumIds[0] === 'ends') process.exit(1)
})
