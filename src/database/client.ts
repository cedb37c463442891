import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import type { Database } from './schema.ts'

export type Db = Kysely<Database>
/** A handle inside a transaction. A function that must run in a transaction takes this type. */
export type Trx = Transaction<Database>

/** The address of a Postgres: either a URL, or the socket folder of the embedded one. */
export type DatabaseAddress = Pick<pg.PoolConfig, 'connectionString' | 'host' | 'port' | 'user' | 'database'>

/** How long a connection is used. One to a server that takes no more writes would otherwise stay open for ever, also when
 *  its address leads to another server by now. */
export const CONNECTION_SECONDS = 60

/** Creates a pool of at most `max` connections. Most code uses it through `createDb`.
 *  @param onFault called for every connection that the server drops; without a listener the process would end.
 *  The query or transaction on that connection fails, and the next one opens a new connection
 *  @param name what Postgres calls the connections */
export function createPool(
  address: DatabaseAddress,
  onFault: (error: Error) => void,
  max = 10,
  name = 'inframe',
): pg.Pool {
  const pool = new pg.Pool({
    ...address,
    max,
    connectionTimeoutMillis: 10_000,
    maxLifetimeSeconds: CONNECTION_SECONDS,
    keepAlive: true,
    application_name: name,
  })
  pool.on('connect', (client) =>
    client.on('error', (error) => {
      if (!pool.ending) onFault(error)
    }),
  )
  // The pool repeats the errors of idle connections, which onFault has already received.
  pool.on('error', () => {})
  return pool
}

/** Creates a pool and the handle for queries. It takes the same as `createPool`. */
export function createDb(...options: Parameters<typeof createPool>): Db {
  return dbOf(createPool(...options))
}

/** The handle for queries in a pool. Its `destroy` closes the pool. */
export function dbOf(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}

/** Opens a connection outside a pool, runs `work` on it and closes it. */
export async function withConnection<T>(
  address: DatabaseAddress,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 5_000 })
  // The running query fails with the same error. Without a listener this event would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Runs a query that reads nothing. @throws the error of the database or of the connection to it. */
export async function checkConnection(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}

/** Runs a statement that would write, and changes nothing. @throws the error of a database that takes no writes, or of the
 *  connection to it. */
export async function checkWrites(db: Db): Promise<void> {
  await sql`delete from ended_sessions where false`.execute(db)
}
