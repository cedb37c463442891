import { beforeEach, describe, expect, test } from 'vitest'
import { findAlbum } from '../albums/queries.ts'
import { insertAlert } from '../alerts/queries.ts'
import { hasEndedLetters } from '../letters/limits.ts'
import { letterLinks, linkToken } from '../letters/links.ts'
import { createClient } from '../testing/client.ts'
import { albumName, createAlbumForEachTest, owner, ownerKey, service } from '../testing/own-album.ts'
import { sendRaw } from '../testing/raw-call.ts'

createAlbumForEachTest({ work: false })

/** The tokens in the links of the album's letters. */
let tokens: { confirm: string; stop: string }
beforeEach(async () => {
  tokens = await tokensOf(albumName)
})

const album = async (slug = albumName) => (await findAlbum(service.database.db, { slug }))!

async function tokensOf(slug: string) {
  const links = letterLinks(service.context.keyring, service.url, await album(slug))
  return { confirm: links.open.split('#letter=')[1]!, stop: links.stop.split('#')[1]! }
}

const hasEnded = async () => hasEndedLetters(service.database.db, service.context.keyring, await album())

const visitor = () => createClient(service.url)
const confirm = (token: string) => visitor().post('/trpc/letters.confirm', { token })
const stop = (token: string) => visitor().post('/trpc/letters.stop', { token })

/** What a mail program sends (RFC 8058 §3.2). */
const clickOnce = (path: string, contentType = 'application/x-www-form-urlencoded') =>
  sendRaw(
    service.url,
    { method: 'POST', path, headers: { 'content-type': contentType } },
    'List-Unsubscribe=One-Click',
  )
const oneClick = (token: string, contentType?: string) =>
  clickOnce(`/stop-letters?token=${token}`, contentType)
/** What a program sends that looks at the links of a letter. */
const look = (path: string) =>
  sendRaw(service.url, { method: 'GET', path, headers: { accept: 'text/html' } }, '')

describe('the link "This was not me"', () => {
  test('ends nothing when a program only opens it', async () => {
    const { status, text } = await look(`/stop-letters?token=${tokens.stop}`)
    expect(status).toBe(200)
    expect(text).toContain('<!doctype html>')
    expect(await hasEnded()).toBe(false)
  })

  test.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'ends the letters with one click in a mail program: %s',
    async (contentType) => {
      const { status, text } = await oneClick(tokens.stop, contentType)
      expect({ status, text }).toEqual({ status: 200, text: '{"hadEnded":false}' })
      expect(await hasEnded()).toBe(true)
    },
  )
})

describe('a token', () => {
  test('does only what it was made for', async () => {
    const { albumName: other } = await owner.createAlbum('Another')
    const wrong = [
      tokens.confirm,
      (await tokensOf(other)).stop.slice(0, 40) + tokens.stop.slice(40),
      tokens.stop.slice(1),
      '',
    ]
    for (const token of wrong) {
      expect((await stop(token)).status).toBe(404)
      expect((await oneClick(encodeURIComponent(token))).status).toBe(404)
    }
    expect((await confirm(tokens.stop)).status).toBe(404)
    expect([await hasEnded(), (await album()).address_confirmed_at]).toEqual([false, null])
  })

  test('confirms nothing when the album has another address, and ends the letters to its own address only', async () => {
    const { db } = service.database
    const set = (email: string) =>
      db.updateTable('albums').set({ email }).where('slug', '=', albumName).execute()
    await set('new@example.com')
    expect((await confirm(tokens.confirm)).status).toBe(404)
    for (const hadEnded of [false, true])
      expect((await stop(tokens.stop)).body.result.data).toEqual({ hadEnded })
    expect(await hasEnded()).toBe(false)
    await set('owner@example.com')
    expect(await hasEnded()).toBe(true)
  })

  test('confirms nothing after a new owner key, and still ends the letters', async () => {
    await owner.post(`/api/albums/${ownerKey}/owner-key`, {})
    expect((await confirm(tokens.confirm)).status).toBe(404)
    expect((await stop(tokens.stop)).body.result.data).toEqual({ hadEnded: false })
    expect(await hasEnded()).toBe(true)
  })
})

test('letters about new photos end with one click, too, and not when a program only opens the link', async () => {
  const { keyring, db } = service.context
  const id = crypto.randomUUID()
  const sealed = { sealed: Buffer.of(1), address_hash: Buffer.of(1), consent_version: 1 }
  const alert = { id, album_id: (await album()).id, ...sealed }
  await db.transaction().execute((trx) => insertAlert(trx, alert, new Date()))
  const alerts = () => db.selectFrom('photo_alerts').selectAll().execute()
  const endUrl = `/photo-letters?token=${linkToken(keyring, { use: 'endAlert', id })}`
  expect((await look(endUrl)).text).toContain('<!doctype')
  expect(await alerts()).toHaveLength(1)
  expect((await clickOnce(endUrl)).text).toBe('{"hadEnded":false}')
  expect(await alerts()).toEqual([])
})
