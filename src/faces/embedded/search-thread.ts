import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { DatabaseAddress } from '../../database/client.ts'
import type { Log } from '../../log.ts'
import { engineDown, engineStopping } from '../errors.ts'
import type { FoundPerson } from '../face-index.ts'
import type { AlbumSearch } from './album-search.ts'
import { bytesForAlbums, MAX_IDLE_MS, type VectorLimits } from './album-vectors.ts'
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
  isEnding: boolean
}

/** Ms for what is under way when the thread is ended. */
const END_MS = 5_000

/** Searches albums in a thread of its own, which reads them from Postgres itself. So the thread that answers requests
 *  neither loads nor compares, and has its memory for itself. The thread starts with the first album, and ends when no
 *  album was searched for an hour: only that gives all of its memory back, because what is freed before is kept for the
 *  next album. If it dies, the searches that were under way fail as unavailable, and the next one starts another. */
export function createSearchThread(options: SearchThreadOptions): AlbumSearch {
  const { log, program = new URL('./search-worker.ts', import.meta.url) } = options
  const { address, limits = { maxBytes: bytesForAlbums() } } = options
  const idle = setTimeout(endIdle, limits.maxIdleMs ?? MAX_IDLE_MS).unref()
  let thread: Thread | undefined
  let ended = Promise.resolve()
  let isClosed = false
  let lastId = 0

  function start(): Thread {
    const workerData: SearchWorkerData = { address, limits }
    const worker = new Worker(program, { workerData })
    const started: Thread = { worker, searches: new Map(), isEnding: false }
    let cause: unknown
    worker.unref()
    worker.on('message', (reply: Reply) => receive(started, reply))
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      if (thread === started) thread = undefined
      if (!started.isEnding)
        log.error(
          { err: cause },
          'The thread that searches albums has died. The next search starts another one',
        )
      for (const { reject } of started.searches.values()) reject(engineDown(cause))
    })
    return started
  }

  function endIdle(): void {
    if (thread?.searches.size === 0) end(thread)
    else idle.refresh()
  }

  function end(ending: Thread): void {
    thread = undefined
    ending.isEnding = true
    ended = ended.then(() => finish(ending))
  }

  async function finish({ worker }: Thread): Promise<void> {
    const exited = new Promise((exit) => worker.once('exit', exit))
    worker.postMessage({ kind: 'close' } satisfies Order)
    worker.ref()
    await Promise.race([exited, pause(END_MS, undefined, { ref: false })])
    await worker.terminate()
  }

  function receive({ worker, searches, isEnding }: Thread, reply: Reply): void {
    if ('lostConnection' in reply) {
      log.warn({ err: received(reply.lostConnection) }, 'A database connection was lost')
      return
    }
    const search = searches.get(reply.id)
    searches.delete(reply.id)
    if (searches.size === 0 && !isEnding) worker.unref()
    if ('found' in reply) search?.resolve(reply.found)
    else search?.reject(received(reply.failed))
  }

  function send(order: Order): Thread {
    thread ??= start()
    thread.worker.postMessage(order)
    idle.refresh()
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
      clearTimeout(idle)
      if (thread) end(thread)
      await ended
    },
  }
}

function received({ message, ...rest }: SentError): Error {
  return Object.assign(new Error(message), rest)
}
