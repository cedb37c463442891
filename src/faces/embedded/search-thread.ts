import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { DatabaseAddress } from '../../database/client.ts'
import type { Log } from '../../log.ts'
import { engineDown, engineStopping } from '../errors.ts'
import type { FoundPerson } from '../face-index.ts'
import type { AlbumSearch } from './album-search.ts'
import { bytesForAlbums, type VectorLimits } from './album-vectors.ts'
import type { Order, Reply, SearchWorkerData, SentError } from './search-worker.ts'

export interface SearchThreadOptions {
  address: DatabaseAddress
  log: Log
  limits?: VectorLimits
  /** Another program than search-worker.ts. */
  program?: URL
}

interface Thread {
  worker: Worker
  searches: Map<number, PromiseWithResolvers<Map<string, FoundPerson>>>
  exited: Promise<void>
}

/** Ms for what is under way when the thread is ended. */
const END_MS = 5_000

/** Searches albums in a thread of its own, which reads them from Postgres itself. So the thread that answers requests
 *  neither loads nor compares, and has its memory for itself. The thread starts with the first album. If it dies, the
 *  searches that were under way fail as unavailable, and the next one starts another. */
export function createSearchThread(options: SearchThreadOptions): AlbumSearch {
  const { log, program = new URL('./search-worker.ts', import.meta.url) } = options
  const { address, limits = { maxBytes: bytesForAlbums() } } = options
  let thread: Thread | undefined
  let isClosed = false
  let lastId = 0

  function start(): Thread {
    const worker = new Worker(program, { workerData: { address, limits } satisfies SearchWorkerData })
    const searches: Thread['searches'] = new Map()
    const exited = Promise.withResolvers<void>()
    const started = { worker, searches, exited: exited.promise }
    let cause: unknown
    worker.unref()
    worker.on('message', (reply: Reply) => receive(started, reply))
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      thread = undefined
      if (!isClosed)
        log.error(
          { err: cause },
          'The thread that searches albums has died. The next search starts another one',
        )
      for (const { reject } of searches.values()) reject(engineDown(cause))
      exited.resolve()
    })
    return started
  }

  function receive({ worker, searches }: Thread, reply: Reply): void {
    const search = searches.get(reply.id)
    searches.delete(reply.id)
    if (searches.size === 0 && !isClosed) worker.unref()
    if ('found' in reply) search?.resolve(reply.found)
    else search?.reject(received(reply.failed))
  }

  function send(order: Order): Thread {
    thread ??= start()
    thread.worker.postMessage(order)
    return thread
  }

  return {
    async search(albumIds, person, threshold) {
      if (isClosed) throw engineStopping()
      const id = ++lastId
      const { worker, searches } = send({ kind: 'search', id, albumIds, person, threshold })
      // A search keeps the process running, the thread alone does not.
      worker.ref()
      const search = Promise.withResolvers<Map<string, FoundPerson>>()
      searches.set(id, search)
      return await search.promise
    },

    prepare(albumIds) {
      if (isClosed) return
      try {
        send({ kind: 'prepare', albumIds })
      } catch {
        // No thread can start. A search meets the same error, and reports it.
      }
    },

    async close() {
      isClosed = true
      if (!thread) return
      const { worker, exited } = thread
      worker.postMessage({ kind: 'close' } satisfies Order)
      worker.ref()
      await Promise.race([exited, pause(END_MS, undefined, { ref: false })])
      await worker.terminate()
    },
  }
}

const received = ({ message, ...rest }: SentError): Error => Object.assign(new Error(message), rest)
