import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient } from '../testing/client.ts'
import { expectError } from '../testing/expect-error.ts'
import { databaseFault } from './faults.ts'

const service = await appOfFile({ work: false })

test('a Postgres that takes no writes is answered with 503, and the process is not ready', async () => {
  const { db, address } = service.database
  const client = createClient(service.url)
  await sql`alter database ${sql.id(address.database!)} set default_transaction_read_only = on`.execute(db)
  // As when another server takes its place.
  await service.context.db
    .connection()
    .execute((one) => sql`set default_transaction_read_only = on`.execute(one))
  const refused = await client.post('/api/user-albums', { email: 'owner@example.com', albumName: 'Party' })
  expectError(refused, 503, /busy right now/)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(10)
  expect((await client.get('/readyz')).status).toBe(503)
  expect((await client.get('/api/albums/list')).status).toBe(200)
})

test.each(['EHOSTUNREACH', 'ENETUNREACH', 'ECONNABORTED', 'ECONNREFUSED'])(
  'a Postgres that is not reached (%s) is a fault that passes',
  (code) => {
    const error = Object.assign(new Error(`connect ${code}`), { code, syscall: 'connect' })
    expect(databaseFault(error)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 5 })
  },
)
