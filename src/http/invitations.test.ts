import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { invite } from '../albums/invitations.ts'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient } from '../testing/client.ts'
import { expectError } from '../testing/expect-error.ts'

let service: TestApp
beforeAll(async () => {
  const wrongSecret = { ...RATE_LIMITS.wrongSecret, calls: 3 }
  service = await startTestApp({
    work: false,
    env: { ALBUM_CREATION: 'invited' },
    limits: { ...RATE_LIMITS, wrongSecret },
  })
})
afterAll(() => service?.close())
beforeEach(() => service.database.db.deleteFrom('rate_limits').execute())

const create = (inviteCode?: string, address = '192.0.2.1') =>
  createClient(service.url, '', { 'x-forwarded-for': address }).post('/api/user-albums', {
    email: 'a@example.com',
    albumName: 'Party',
    inviteCode,
  })
const newCode = async (albums = 1) => (await invite(service.context, { albums, days: 30 }, COMMAND_LINE)).code
const albums = () => service.database.db.selectFrom('albums').select('id').execute()

test('a code creates one album, however it is typed', async () => {
  const code = await newCode()
  expect((await create(` ${code.toUpperCase().replaceAll('-', ' ')}`)).status).toBe(200)
  const again = await create(code)
  expectError(again, 403, /has already been used/)
  expect(again.body.issues).toEqual([
    { path: ['inviteCode'], message: 'This invitation code has already been used' },
  ])
})

test('a code may allow several albums', async () => {
  const code = await newCode(2)
  expect((await create(code)).status).toBe(200)
  expect((await create(code)).status).toBe(200)
  expectError(await create(code), 403, /has already been used/)
})

test('calls at the same time use a code once', async () => {
  const code = await newCode()
  const before = (await albums()).length
  const statuses = (await Promise.all(Array.from({ length: 6 }, () => create(code)))).map(
    ({ status }) => status,
  )
  expect(statuses.toSorted()).toEqual([200, 403, 403, 403, 403, 403])
  expect((await albums()).length).toBe(before + 1)
})

test('without a code, and with an expired one, no album is created', async () => {
  const code = await newCode()
  await service.database.db.updateTable('invitations').set({ expires_at: sql<Date>`now()` }).execute()
  const before = (await albums()).length
  expectError(await create(), 403, /needs an invitation code/)
  expectError(await create('  '), 403, /needs an invitation code/)
  expectError(await create(code), 403, /has expired/)
  expect((await albums()).length).toBe(before)
})

test('wrong codes are limited for each address, and a right one is accepted all the same', async () => {
  for (let guess = 0; guess < 3; guess++) expectError(await create('guess'), 403, /is wrong/)
  expectError(await create('guess'), 429, /Too many wrong passwords, keys, codes/)
  expect((await create(await newCode())).status).toBe(200)
})

test('an invitation is in the audit log, and its code is stored nowhere', async () => {
  const code = await newCode()
  const { db } = service.database
  expect(
    await db.selectFrom('audit_log').select('role').where('event', '=', 'invited').execute(),
  ).toContainEqual({
    role: 'command line',
  })
  const { rows } = await sql`select * from invitations`.execute(db)
  expect(JSON.stringify(rows)).not.toContain(code)
})

test('a closed service creates no album, and says so', async () => {
  const closed = await startTestApp({ work: false, env: { ALBUM_CREATION: 'closed' } })
  try {
    const answer = await createClient(closed.url).post('/api/user-albums', {
      email: 'a@example.com',
      albumName: 'Party',
      inviteCode: await newCode(),
    })
    expectError(answer, 403, /New albums cannot be created here at the moment/)
  } finally {
    await closed.close()
  }
})
