import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isUnwanted } from '../albums/begin-letter.ts'
import { endLetters } from '../albums/letter-answers.ts'
import { letterLinks } from '../albums/letter-links.ts'
import { findAlbum } from '../albums/queries.ts'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { createKeyring } from '../keyring.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, sampleUploads, type TestClient } from '../testing/client.ts'
import { sendRaw } from '../testing/raw-call.ts'
import { waitUntil } from '../testing/wait.ts'

let service: TestApp
let owner: TestClient
let ownerKey: string
let albumName: string
/** The tokens in the links of the album's letters. */
let tokens: { confirm: string; stop: string }

beforeAll(async () => {
  service = await startTestApp()
})
afterAll(() => service?.close())
beforeEach(async () => {
  owner = createClient(service.url)
  ;({ ownerKey, albumName } = await owner.createAlbum())
  tokens = await tokensOf(albumName)
})

const album = async (slug = albumName) => (await findAlbum(service.database.db, { slug }))!

async function tokensOf(slug: string, keyring = service.context.services.keyring) {
  const links = letterLinks(keyring, service.url, await album(slug))
  return { confirm: links.open.split('#letter=')[1]!, stop: links.stop.split('#')[1]! }
}

const visitor = () => createClient(service.url)
const confirm = (token: string) => visitor().post('/trpc/letters.confirm', { token })
const stop = (token: string) => visitor().post('/trpc/letters.stop', { token })

/** What a mail program sends (RFC 8058 §3.2). */
const oneClick = (token: string, contentType = 'application/x-www-form-urlencoded') =>
  sendRaw(
    service.url,
    { method: 'POST', path: `/stop-letters?token=${token}`, headers: { 'content-type': contentType } },
    'List-Unsubscribe=One-Click',
  )

describe('the link of a letter to the album', () => {
  test('confirms the address, again and again', async () => {
    expect((await album()).address_confirmed_at).toBeNull()
    for (let visit = 0; visit < 2; visit++) expect((await confirm(tokens.confirm)).status).toBe(200)
    expect((await album()).address_confirmed_at).not.toBeNull()
  })

  test('gives no right to the album: its page still asks for the password', async () => {
    const guest = visitor()
    await guest.post('/trpc/letters.confirm', { token: tokens.confirm })
    expect((await guest.get(`/api/albums/by-name/${albumName}`)).status).toBe(401)
  })
})

describe('the link "This was not me"', () => {
  test('ends the letters when its button is pressed, and says when they had ended before', async () => {
    expect((await stop(tokens.stop)).body.result.data).toEqual({ hadEnded: false })
    expect((await stop(tokens.stop)).body.result.data).toEqual({ hadEnded: true })
    expect((await album()).letters_ended_at).not.toBeNull()
  })

  test('ends nothing when a program only opens it', async () => {
    const { status, text } = await sendRaw(
      service.url,
      { method: 'GET', path: `/stop-letters?token=${tokens.stop}`, headers: { accept: 'text/html' } },
      '',
    )
    expect(status).toBe(200)
    expect(text).toContain('<!doctype html>')
    expect((await album()).letters_ended_at).toBeNull()
  })

  test.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'ends the letters with one click in a mail program: %s',
    async (contentType) => {
      const { status, text } = await oneClick(tokens.stop, contentType)
      expect({ status, text }).toEqual({ status: 200, text: '{"hadEnded":false}' })
      expect((await album()).letters_ended_at).not.toBeNull()
    },
  )

  test('is not shown to the owner', async () => {
    const seen = async () => [
      (await owner.get(`/api/albums/${ownerKey}/coverage`)).body,
      (await owner.get(`/api/albums/by-name/${albumName}`)).body,
      (await owner.get(`/api/albums/${ownerKey}/progress`)).body,
    ]
    const before = await seen()
    await stop(tokens.stop)
    await confirm(tokens.confirm)
    expect(await seen()).toEqual(before)
  })
})

describe('a token', () => {
  test('does only what it was made for', async () => {
    const { albumName: other } = await owner.createAlbum('Another')
    const wrong = [
      tokens.confirm,
      (await tokensOf(other)).stop.slice(0, 22) + tokens.stop.slice(22),
      (await tokensOf(albumName, createKeyring(['another secret key']))).stop,
      tokens.stop.slice(1),
      `${tokens.stop}A`,
      '',
    ]
    for (const token of wrong) {
      expect((await stop(token)).status).toBe(404)
      expect((await oneClick(encodeURIComponent(token))).status).toBe(404)
    }
    expect((await confirm(tokens.stop)).status).toBe(404)
    expect(await album()).toMatchObject({ letters_ended_at: null, address_confirmed_at: null })
  })

  test('confirms nothing when the album has another address, and ends the letters to its own address only', async () => {
    const { db } = service.database
    const set = (email: string) =>
      db.updateTable('albums').set({ email }).where('slug', '=', albumName).execute()
    await set('new@example.com')
    expect((await confirm(tokens.confirm)).status).toBe(404)
    for (const hadEnded of [false, true])
      expect((await stop(tokens.stop)).body.result.data).toEqual({ hadEnded })
    const present = await album()
    expect(present.letters_ended_at).toBeNull()
    const { keyring } = service.context.services
    const isUnwantedNow = async () => isUnwanted(db as never, keyring, await album())
    expect(await isUnwantedNow()).toBe(false)
    await set('owner@example.com')
    expect(await isUnwantedNow()).toBe(true)
  })

  test('confirms nothing after a new owner key, and still ends the letters', async () => {
    await owner.post(`/api/albums/${ownerKey}/owner-key`, {})
    expect((await confirm(tokens.confirm)).status).toBe(404)
    expect((await stop(tokens.stop)).body.result.data).toEqual({ hadEnded: false })
    expect((await album()).letters_ended_at).not.toBeNull()
  })

  test('is still valid after SECRET_KEY got a new key', async () => {
    const former = createKeyring(['the former key'])
    const { stop: token } = await tokensOf(albumName, former)
    const keyring = createKeyring(['the new key', 'the former key'])
    const { services } = service.context
    expect(await endLetters({ ...services, keyring }, { token, address: '10.0.0.1' })).toEqual({
      hadEnded: false,
    })
    expect((await album()).letters_ended_at).not.toBeNull()
  })

  test('is limited to a number of wrong tries for each caller, and a right one is accepted all the same', async () => {
    const strict = await startTestApp({
      work: false,
      limits: { ...RATE_LIMITS, letterLink: { ...RATE_LIMITS.letterLink, perAddress: 2 } },
    })
    try {
      const client = createClient(strict.url)
      const statuses: number[] = []
      for (const call of ['confirm', 'stop', 'confirm'])
        statuses.push((await client.post(`/trpc/letters.${call}`, { token: 'x' })).status)
      statuses.push((await client.post('/stop-letters?token=x', {})).status)
      expect(statuses).toEqual([404, 404, 429, 429])
      const { albumName: name } = await client.createAlbum()
      const { keyring } = strict.context.services
      const strictAlbum = await strict.database.db
        .selectFrom('albums')
        .selectAll()
        .where('slug', '=', name)
        .executeTakeFirstOrThrow()
      const right = letterLinks(keyring, strict.url, strictAlbum).stop.split('#')[1]
      expect((await client.post('/trpc/letters.stop', { token: right })).status).toBe(200)
    } finally {
      await strict.close()
    }
  })
})

describe('erasing an album', () => {
  const outbox = () => join(service.dataDir, 'outbox')
  const letters = async () => (await readdir(outbox())).filter((name) => name.endsWith('.eml'))

  test('takes its letters out of the outbox, and no others', async () => {
    const bystander = await owner.createAlbum('Bystander')
    for (const key of [ownerKey, bystander.ownerKey]) {
      const before = (await letters()).length
      await owner.uploadPhotos(key, await sampleUploads([1]), { totalIntendedPhotos: 1 })
      await waitUntil('the letter', async () => (await letters()).length > before)
    }
    // A letter of a maintainer's own.
    await writeFile(join(outbox(), 'note.eml'), 'note')
    const { body } = await owner.delete(`/api/albums/${ownerKey}`)
    expect(body).toEqual({ rowsRemaining: 0, filesRemaining: 0, facesRemaining: 0 })
    const left = await letters()
    expect(left).toHaveLength(2)
    expect(left).toContain('note.eml')
    const kept = await readFile(join(outbox(), left.find((name) => name !== 'note.eml')!), 'utf8')
    expect(kept).toContain(`/album/${bystander.albumName}`)
  })

  test('counts a letter that cannot be removed, and a job removes it later', async () => {
    const { db } = service.database
    const { id: roundId } = await db
      .insertInto('upload_rounds')
      .values({
        album_id: (await album()).id,
        closed_at: new Date(),
        completed_at: new Date(),
        photos_added: 1,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeFile(join(outbox(), `${roundId}.eml`), 'old')
    const { services } = service.context
    const { remove } = services.outbox
    services.outbox.remove = async () => {}
    try {
      const { body } = await owner.delete(`/api/albums/${ownerKey}`)
      expect(body).toEqual({ rowsRemaining: 0, filesRemaining: 1, facesRemaining: 0 })
    } finally {
      services.outbox.remove = remove
    }
    await waitUntil('the job', async () => !(await letters()).includes(`${roundId}.eml`))
  })
})
