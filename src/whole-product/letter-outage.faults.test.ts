import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, sampleUploads } from '../testing/client.ts'
import { headerOf, startMailServer, type TestMailServer } from '../testing/mail-server.ts'
import { waitUntil } from '../testing/wait.ts'

let mailServer: TestMailServer
let service: TestApp

beforeAll(async () => {
  mailServer = await startMailServer()
  service = await startTestApp({
    env: { SMTP_URL: `smtp://127.0.0.1:${mailServer.port}?tls.rejectUnauthorized=false` },
  })
})
afterAll(async () => {
  await service?.close()
  await mailServer?.close()
})

/** How many attempts to send the letter have failed; undefined while one is running. */
async function failures(): Promise<number | undefined> {
  const { rows } = await sql<{ retry_count: number; state: string }>`
    select retry_count, state from pgboss.job where name = 'send-letter'`.execute(service.database.db)
  return rows[0]?.state === 'retry' ? rows[0].retry_count + 1 : undefined
}

/** Makes the letter an hour older: counts 60 attempts, one a minute, and ends the pause before the next one. */
async function passAnHour(): Promise<void> {
  await sql`
    update pgboss.job
    set retry_count = retry_count + 60, start_after = now(),
        created_on = created_on - interval '1 hour', keep_until = keep_until - interval '1 hour'
    where name = 'send-letter'`.execute(service.database.db)
}

test('a letter waits while the mail server is unavailable for an hour, and arrives once', async () => {
  mailServer.misbehaves = { at: 'CONNECT', answer: '421 4.3.2 Closed for the day' }
  const owner = createClient(service.url)
  const { ownerKey } = await owner.createAlbum('Summer Party')
  await owner.uploadPhotos(ownerKey, await sampleUploads([1]), { totalIntendedPhotos: 1 })
  await waitUntil('the letter to be refused', failures)

  const before = mailServer.connections()
  await passAnHour()
  await waitUntil(
    'another attempt',
    async () => mailServer.connections() > before && ((await failures()) ?? 0) > 60,
  )
  expect(mailServer.received).toEqual([])

  mailServer.misbehaves = undefined
  await passAnHour()
  await waitUntil('the letter', async () => mailServer.received.length > 0)
  await waitUntil('its round to have a sent letter', async () => {
    const round = await service.database.db
      .selectFrom('upload_rounds')
      .select('letter_sent_at')
      .executeTakeFirstOrThrow()
    return round.letter_sent_at !== null
  })
  expect(mailServer.received.map(({ message }) => headerOf(message, 'To'))).toEqual(['owner@example.com'])
})
