import { join } from 'node:path'
import type { Log } from '../../log.ts'
import type { DatabaseAddress } from '../client.ts'
import { findPostgresBinaries } from './binaries.ts'
import { type Claim, claimFile } from './claim.ts'
import { prepareCluster } from './cluster.ts'
import { findHome, type Home, PORT, prepareHome, prepareSocketFolder, socketFolderOf } from './home.ts'
import { clearLeftovers } from './leftovers.ts'
import { isAnswering, keepServerRunning, launchServer } from './server.ts'

export interface EmbeddedPostgres {
  address: DatabaseAddress
  /** Closes the remaining connections and stops the server. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  dataDir: string
  log: Log
  /** False only where a crash may lose all data, as in tests. Default: true. */
  durable?: boolean
}

/** Starts the Postgres that comes with Inframe on `<dataDir>/postgres`, which the first start creates. It listens
 *  only on a Unix socket that root and the server's own account can reach. When the server dies, it is started
 *  again.
 *  @throws Error with a message for the person at the terminal, also when another Inframe runs on this data
 *  folder */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, durable = true } = options
  const binaries = await findPostgresBinaries()
  const { home, claim } = await claimHome(dataDir)
  try {
    const cluster = await prepareCluster(home, binaries, durable)
    const address = addressIn(await prepareSocketFolder(home))
    const server = await keepServerRunning(log, async (signal) => {
      await clearLeftovers(cluster, address, log)
      return await launchServer({ binaries, cluster, account: home.account, address, durable, log }, signal)
    })
    return { address, stop: () => server.stop().finally(claim.release) }
  } catch (error) {
    claim.release()
    throw error
  }
}

/** The address of the embedded Postgres that is running on this data folder, for commands that work beside a
 *  running Inframe; undefined when none is running. */
export async function findEmbeddedPostgres(dataDir: string): Promise<DatabaseAddress | undefined> {
  const home = await findHome(dataDir)
  if (!home) return undefined
  const address = addressIn(socketFolderOf(home))
  return (await isAnswering(address)) ? address : undefined
}

async function claimHome(dataDir: string): Promise<{ home: Home; claim: Claim }> {
  const home = await prepareHome(dataDir)
  const claim = claimFile(join(home.folder, 'claim'))
  if (!claim)
    throw new Error(`Another Inframe is already running on ${dataDir}. Stop it, or set another DATA_DIR.`)
  return { home, claim }
}

function addressIn(socketFolder: string): DatabaseAddress {
  return { host: socketFolder, port: PORT, user: 'inframe', database: 'postgres' }
}
