import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, type TestClient } from '../testing/client.ts'
import { headerOf, startMailServer, type TestMailServer } from '../testing/mail-server.ts'
import { newPicture } from '../testing/new-picture.ts'
import { type StandIn, startStandInRekognition } from '../testing/rekognition/stand-in.ts'
import { waitUntil } from '../testing/wait.ts'

const VICTIM = 'victim@example.com'
const ROUNDS = 25
const FURTHER_ALBUMS = 9

let mailServer: TestMailServer
/** Finds no faces, without work. */
let rekognition: StandIn
let service: TestApp

beforeAll(async () => {
  mailServer = await startMailServer()
  rekognition = await startStandInRekognition({ recognise: async () => [] })
  const { endpoint, region, credentials } = rekognition
  service = await startTestApp({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}?tls.rejectUnauthorized=false`,
      FACES: 'rekognition',
      REKOGNITION_ENDPOINT: endpoint,
    },
    rekognition: { client: { region, credentials } },
  })
})
afterAll(async () => {
  await service?.close()
  await rekognition?.close()
  await mailServer?.close()
})

const attacker = (): TestClient => createClient(service.url)

async function albumFor(client: TestClient, email: string, albumName: string): Promise<string> {
  const { status, body } = await client.post('/api/user-albums', { email, albumName })
  expect(status).toBe(200)
  return body.userAlbum.id
}

/** Uploads one new picture as a round of its own, and waits until its job has decided about the letter. */
async function completeRound(client: TestClient, ownerKey: string): Promise<void> {
  const photo = { name: 'a.png', bytes: await newPicture() }
  await client.uploadPhotos(ownerKey, [photo], { totalIntendedPhotos: 1 })
  await waitUntil('the round to be complete', async () => {
    const { body } = await client.get(`/api/albums/${ownerKey}/progress`)
    return body.isCompleted && (await undecidedLetters()) === 0
  })
}

async function undecidedLetters(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from upload_rounds where completed_at is null)::int
      + (select count(*) from pgboss.job where name = 'send-letter' and state < 'completed' and start_after <= now())::int
      as count`.execute(service.database.db)
  return rows[0]!.count
}

test('25 rounds of one album and those of nine further albums send ten letters to an address that never asked', async () => {
  const client = attacker()
  const words = 'Your account is locked: log in at http://evil.example'
  const ownerKey = await albumFor(client, VICTIM, words)
  for (let round = 0; round < ROUNDS; round++) await completeRound(client, ownerKey)
  expect(mailServer.received).toHaveLength(3)

  for (let number = 0; number < FURTHER_ALBUMS; number++) {
    const other = attacker()
    // The same mailbox under another name.
    await completeRound(other, await albumFor(other, `Victim+${number}@example.com`, words))
  }
  expect(mailServer.received).toHaveLength(10)

  const rounds = await service.database.db
    .selectFrom('upload_rounds')
    .select('id')
    .where('completed_at', 'is not', null)
    .where('photos_added', '>', 0)
    .execute()
  expect(rounds).toHaveLength(ROUNDS + FURTHER_ALBUMS)
  for (const { message } of mailServer.received) {
    expect(headerOf(message, 'Subject')).toBe('Your photo album is ready')
    const body = message.replaceAll(/=\r?\n/g, '')
    expect(body).not.toMatch(/evil\.example/)
    expect(body).toContain('This was not me')
  }
})
