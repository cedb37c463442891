import { type Expression, sql } from 'kysely'
import pg from 'pg'
import { dbOf } from './client.ts'

/** The signature, the flags and the length of an extension, which is always 0. */
const HEADER_BYTES = 19

/** In the place of the number of columns. */
const END_OF_ROWS = -1

/** A query whose rows come as COPY sends them. node-postgres passes this data to the query as it is. */
class CopyOut extends pg.Query {
  #onData: (data: Buffer) => void

  constructor(text: string, onData: (data: Buffer) => void, callback: (error: Error | undefined) => void) {
    super({ text }, callback)
    this.#onData = onData
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#onData(chunk)
  }
}

/** What Postgres is to avoid, for one query. `set local` ends with its transaction, which is that of the query. */
const FOLLOW_INDEX = 'set local enable_seqscan = off; set local enable_sort = off;'

/** Runs a query and reads its rows in binary form, one by one and without a copy in memory. node-postgres reads all
 *  other answers as text, in which a bytea is hexadecimal. Postgres follows the index that has the order of the query if
 *  there is one, so the first rows come at once.
 *  @param query without parameters, because COPY takes none: its values are literals (`sql.lit`)
 *  @param onRow takes a row in the format of COPY BINARY: the number of columns (2 bytes), then for each column the
 *    number of its bytes (4 bytes) and its bytes. The buffer is valid until the function returns. After an error in it
 *    the other rows are skipped
 *  @throws the error of the database, or of `onRow` */
export async function copyOut(
  pool: pg.Pool,
  query: Expression<unknown>,
  onRow: (row: Buffer) => void,
): Promise<void> {
  const copy = sql`copy (${query}) to stdout (format binary)`.compile(dbOf(pool)).sql
  const client = await pool.connect()
  try {
    await runCopy(client, `${FOLLOW_INDEX} ${copy}`, onRow)
    client.release()
  } catch (error) {
    // Its connection may be lost.
    client.release(true)
    throw error
  }
}

function runCopy(client: pg.PoolClient, text: string, onRow: (row: Buffer) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let isFirst = true
  let failure: { error: unknown } | undefined

  function onData(data: Buffer): void {
    // The header comes with the first row.
    const row = isFirst ? data.subarray(HEADER_BYTES) : data
    isFirst = false
    if (failure || row.readInt16BE() === END_OF_ROWS) return
    try {
      onRow(row)
    } catch (error) {
      // Thrown here, it would end the process.
      failure = { error }
    }
  }

  const done = (error: Error | undefined) => {
    if (error) reject(error)
    else if (failure) reject(failure.error)
    else resolve()
  }
  client.query(new CopyOut(text, onData, done))
  return promise
}
