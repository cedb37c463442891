import { describe, expect, test } from 'vitest'
import type { AppContext } from '../context.ts'
import { createKeyring } from '../keyring.ts'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient } from '../testing/client.ts'
import { buildApp } from './app.ts'

const service = await appOfFile({ work: false })

const create = { method: 'POST', url: '/api/user-albums' } as const
const payload = { email: 'owner@example.com', albumName: 'Session' }

/** The service with some parts replaced; tests call it without a network. */
const appWith = (parts: Partial<AppContext>) => buildApp({ ...service.context, ...parts })

const first = 'the first secret, as long as a real one'
const second = 'the second secret, as long as a real one'

describe('the session cookie', () => {
  test('stays valid when SECRET_KEY is rotated, and ends when its key is removed', async () => {
    const before = await appWith({ keyring: createKeyring([first]) })
    const created = await before.inject({ ...create, payload })
    const { albumName } = created.json().userAlbum
    const cookies = Object.fromEntries(created.cookies.map(({ name, value }) => [name, value]))
    const look = async (secrets: string[]) => {
      const app = await appWith({ keyring: createKeyring(secrets) })
      return (await app.inject({ url: `/api/albums/by-name/${albumName}`, cookies })).statusCode
    }
    expect(await look([first])).toBe(200)
    expect(await look([second, first])).toBe(200)
    expect(await look([second])).toBe(401)
  })

  test('is hidden from scripts and other websites, and with https also from plain http', async () => {
    const attributes = async (publicUrl: string | undefined) => {
      const app = await appWith({ publicUrl })
      return (await app.inject({ ...create, payload })).cookies[0]
    }
    expect(await attributes(undefined)).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
    expect(await attributes(undefined)).not.toHaveProperty('secure')
    expect(await attributes('https://photos.example.com')).toMatchObject({ httpOnly: true, secure: true })
  })

  test('stays small when a session enters many albums, and keeps the latest', async () => {
    const owner = createClient(service.url)
    let latest = ''
    for (let made = 0; made < 60; made++) latest = (await owner.createAlbum()).albumName
    expect(owner.cookie().length).toBeLessThan(4096)
    expect((await owner.get(`/api/albums/by-name/${latest}`)).status).toBe(200)
  })
})

test('every answer forbids foreign scripts, framing and sniffing', async () => {
  const { headers } = await createClient(service.url).get('/api/albums/list')
  const policy = headers.get('content-security-policy')!
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe-inline|https:|\*/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cache-control')).toBe('no-store')
})
