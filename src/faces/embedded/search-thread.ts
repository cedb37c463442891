import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { DatabaseAddress } from '../../database/client.ts'
import type { Log } from '../../log.ts'
import { engineDown, engineStopping } from '../errors.ts'
import type { FaceMatch } from '../face-index.ts'
import { type AlbumCacheLimits, bytesForAlbums } from './album-cache.ts'
import type { AlbumSearch } from './album-search.ts'
import type { Order, Reply, SearchWorkerData, SentError } from './search-worker.ts'

export interface SearchThreadOptions {
  address: DatabaseAddress
  log: Log
  limits?: AlbumCacheLimits
  /** Another program than search-worker.ts. */
  program?: URL
}

interface Thread {
  worker: Worker
  searches: Map<number, PromiseWithResolvers<Map<string, FaceMatch[]>>>
}

/** Ms for the searches that are under way when the thread is closed. */
const CLOSE_MS = 5_000

/** Searches albums in a thread of its own, which reads them from Postgres itself. So the thread that answers requests
 *  neither loads nor compares, and their memory is not its memory. It starts with the first album. If it dies, the next
 *  order starts another one, which does the searches that were under way. A search during which two threads die fails. */
export function createSearchThread(options: SearchThreadOptions): AlbumSearch {
  const { log, program = new URL('./search-worker.ts', import.meta.url) } = options
  const { address, limits = { maxBytes: bytesForAlbums() } } = options
  let thread: Thread | undefined
  let isClosed = false
  let lastId = 0

  function start(): Thread {
    const workerData: SearchWorkerData = { address, limits }
    const started: Thread = { worker: new Worker(program, { workerData }), searches: new Map() }
    let cause: unknown
    started.worker.unref()
    started.worker.on('message', (reply: Reply) => receive(started, reply))
    started.worker.on('error', (error) => {
      cause = error
    })
    started.worker.on('exit', () => {
      if (thread === started) thread = undefined
      if (!isClosed) log.error({ err: cause }, 'The thread that searches albums has died. Another one starts')
      for (const { reject } of started.searches.values()) reject(new ThreadDied(cause))
    })
    return started
  }

  function receive({ worker, searches }: Thread, reply: Reply): void {
    if ('lostConnection' in reply) {
      log.warn({ err: received(reply.lostConnection) }, 'A database connection was lost')
      return
    }
    const search = searches.get(reply.id)
    searches.delete(reply.id)
    if (searches.size === 0) worker.unref()
    if ('found' in reply) search?.resolve(reply.found)
    else search?.reject(received(reply.failed))
  }

  function send(order: Order): Thread {
    thread ??= start()
    thread.worker.postMessage(order)
    return thread
  }

  function search(...[albumIds, descriptor, threshold]: Parameters<AlbumSearch['search']>) {
    if (isClosed) return Promise.reject(engineStopping())
    const id = ++lastId
    const { worker, searches } = send({ kind: 'search', id, albumIds, descriptor, threshold })
    // A search keeps the process running, the thread alone does not.
    worker.ref()
    const search = Promise.withResolvers<Map<string, FaceMatch[]>>()
    searches.set(id, search)
    return search.promise
  }

  return {
    async search(...args) {
      try {
        return await search(...args)
      } catch (error) {
        if (!(error instanceof ThreadDied)) throw error
      }
      try {
        return await search(...args)
      } catch (error) {
        throw error instanceof ThreadDied ? engineDown(error) : error
      }
    },

    prepare(albumIds) {
      if (isClosed) return
      try {
        send({ kind: 'prepare', albumIds })
      } catch {
        // No thread can start. A search meets the same error, and reports it.
      }
    },

    forget(albumId) {
      if (thread) send({ kind: 'forget', albumId })
    },

    async close() {
      isClosed = true
      if (!thread) return
      const { worker } = thread
      const ended = once(worker, 'exit')
      send({ kind: 'close' })
      worker.ref()
      await Promise.race([ended, pause(CLOSE_MS, undefined, { ref: false })])
      await worker.terminate()
    },
  }
}

class ThreadDied extends Error {
  constructor(cause: unknown) {
    super('The thread that searches albums has died', { cause })
  }
}

function received({ message, ...rest }: SentError): Error {
  return Object.assign(new Error(message), rest)
}
