import { afterAll, beforeAll, expect, test } from 'vitest'
import { alertLinks } from '../alerts/alert-links.ts'
import { sealTicket, ticketEnd } from '../search/tickets.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient } from '../testing/client.ts'
import { sendRaw } from '../testing/raw-call.ts'

let service: TestApp

beforeAll(async () => {
  service = await startTestApp({ work: false })
})
afterAll(() => service?.close())

const alerts = () => service.database.db.selectFrom('photo_alerts').selectAll().execute()

/** The address in the header of a letter, as its mail program uses it. */
const use = (path: string, method: 'GET' | 'POST') =>
  sendRaw(
    service.url,
    {
      method,
      path,
      headers:
        method === 'GET' ? { accept: 'text/html' } : { 'content-type': 'application/x-www-form-urlencoded' },
    },
    method === 'GET' ? '' : 'List-Unsubscribe=One-Click',
  )

test('letters end with one click in a mail program, and not when a program only opens the link', async () => {
  const owner = createClient(service.url)
  const { albumName } = await owner.createAlbum()
  const { keyring } = service.context.services
  const { album } = (await owner.get(`/api/albums/by-name/${albumName}`)).body
  const person = { templates: {}, confirmed: [], rejected: [] }
  const request = {
    email: 'guest@example.com',
    ticket: sealTicket(
      keyring,
      { id: album.id, password_version: 1 },
      { person, endsAt: ticketEnd(), searchedAt: new Date() },
    ),
  }
  const ask = (changes: object) => owner.post(`/api/albums/${albumName}/alerts`, { ...request, ...changes })
  for (const changes of [{}, { consent: false }, { consent: 'true' }])
    expect((await ask(changes)).body.message).toContain('Please tick that you agree')
  expect((await ask({ consent: true })).status).toBe(200)
  const [alert] = await alerts()
  const { endUrl } = alertLinks(keyring, '', alert!)
  expect(await use(endUrl, 'GET')).toMatchObject({ status: 200, text: expect.stringContaining('<!doctype') })
  expect(await alerts()).toHaveLength(1)
  expect(await use(endUrl, 'POST')).toMatchObject({ status: 200, text: '{"hadEnded":false}' })
  expect(await alerts()).toEqual([])
  expect(await use(endUrl, 'POST')).toMatchObject({ status: 200, text: '{"hadEnded":true}' })
  const events = await service.database.db.selectFrom('audit_log').selectAll().execute()
  expect(JSON.stringify([events, service.logged])).not.toContain('guest@example.com')
})
