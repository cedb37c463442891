/** The program of the thread that searches albums (see search-thread.ts). */
import { parentPort, workerData } from 'node:worker_threads'
import { createPool, type DatabaseAddress } from '../../database/client.ts'
import type { FoundPerson } from '../face-index.ts'
import { createAlbumSearch, type PersonFaces } from './album-search.ts'
import type { VectorLimits } from './album-vectors.ts'

/** One that hears of removed faces, some that load albums, and others for the short queries. */
const CONNECTIONS = 5

export interface SearchWorkerData {
  address: DatabaseAddress
  limits: VectorLimits
}

export type Order =
  | { kind: 'search'; id: number; albumIds: string[]; person: PersonFaces; threshold: number | undefined }
  | { kind: 'prepare'; albumIds: string[] }
  | { kind: 'close' }

export type Reply = { id: number; found: Map<string, FoundPerson> } | { id: number; failed: SentError }

/** An error as a message: the class and the codes of the database's errors do not survive a copy. */
export type SentError = Pick<Error, 'message' | 'stack'> & {
  code?: string
  severity?: string
  syscall?: string
}

const { address, limits } = workerData as SearchWorkerData
const port = parentPort!
const reply = (message: Reply) => port.postMessage(message)
// The search that needs a lost connection fails, and says so.
const pool = createPool(address, () => {}, CONNECTIONS, 'inframe search')
const albums = createAlbumSearch(pool, limits)

port.on('message', (order: Order) => {
  if (order.kind === 'search') void search(order)
  else if (order.kind === 'prepare') albums.prepare(order.albumIds)
  else void albums.close().finally(() => port.close())
})

async function search({ id, albumIds, person, threshold }: Order & { kind: 'search' }): Promise<void> {
  try {
    reply({ id, found: await albums.search(albumIds, person, threshold) })
  } catch (error) {
    reply({ id, failed: sent(error) })
  }
}

function sent(error: unknown): SentError {
  const { message, stack, code, severity, syscall } = error as SentError
  return { message, stack, code, severity, syscall } as SentError
}
