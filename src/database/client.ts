import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import type { Database } from './schema.ts'

export type Db = Kysely<Database>
/** A handle inside a transaction. A function that must be part of one asks for this type. */
export type Trx = Transaction<Database>

/** Where a Postgres is: either a URL, or the socket folder of the embedded one. */
export type DatabaseAddress = Pick<pg.PoolConfig, 'connectionString' | 'host' | 'port' | 'user' | 'database'>

/** A pool of at most `max` connections; `onFault` hears of every connection that the server dropped, which would
 *  otherwise end the process. The query or transaction on it fails; the next one opens a new connection. */
export function createDb(address: DatabaseAddress, onFault: (error: Error) => void, max = 10): Db {
  const pool = new pg.Pool({ ...address, max, connectionTimeoutMillis: 10_000, application_name: 'inframe' })
  pool.on('connect', (client) =>
    client.on('error', (error) => {
      if (!pool.ending) onFault(error)
    }),
  )
  // Repeats what an idle connection has told onFault already.
  pool.on('error', () => {})
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
}

/** @throws what the database or the way to it has to say against a query. */
export async function checkConnection(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}
