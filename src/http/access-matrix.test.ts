import { randomUUID } from 'node:crypto'
import type { AnyProcedure } from '@trpc/server'
import { describe, expect, test } from 'vitest'
import { appRouter } from '../api/router.ts'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient, readSample, type TestClient } from '../testing/client.ts'
import { insertMatchedSubmission } from '../testing/matched-submission.ts'
import { openApiDocument } from './openapi.ts'

const service = await appOfFile({ work: false })
const photo = await readSample(1)

const ROLES = [
  'nobody',
  'guest of this album',
  'guest of another album',
  'owner',
  'owner of another album',
  'guest from before the password changed',
  'forged cookie',
  'holder of the owner key',
] as const
type Role = (typeof ROLES)[number]

/** An album, and a client for each role. */
interface World {
  clients: Record<Role, TestClient>
  /** How the role names the album in `{id}`. */
  reference: (role: Role) => string
  albumName: string
  password: string
  ownerKey: string
  submissionId: string
  photoUrls: { valid: string; former: string; forged: string; expired: string }
}

async function enter(albumName: string, password: string): Promise<TestClient> {
  const client = createClient(service.url)
  expect((await client.post(`/api/albums/${albumName}/authenticate`, { password })).status).toBe(200)
  return client
}

async function passwordOf(owner: TestClient, albumName: string): Promise<string> {
  return (await owner.get(`/api/albums/by-name/${albumName}`)).body.album.albumPassword
}

async function createWorld(): Promise<World> {
  const { db, links } = service.context
  const owner = createClient(service.url)
  const otherOwner = createClient(service.url)
  const { ownerKey, albumName } = await owner.createAlbum('Matrix')
  const other = await otherOwner.createAlbum('Other')
  await owner.uploadPhotos(ownerKey, [{ name: 'a.jpg', bytes: photo }])
  const formerGuest = await enter(albumName, await passwordOf(owner, albumName))
  const { id: photoId } = await db
    .selectFrom('photos')
    .innerJoin('albums', 'albums.id', 'photos.album_id')
    .select('photos.id')
    .where('slug', '=', albumName)
    .executeTakeFirstOrThrow()
  const former = links.sign(photoId, 1).url
  const { albumPassword: password } = (await owner.post(`/api/albums/${ownerKey}/password`, {})).body
  const guest = await enter(albumName, password)
  const { id: albumId } = (await owner.get(`/api/albums/by-name/${albumName}`)).body.album
  const submissionId = await insertMatchedSubmission(db, { albumId, passwordVersion: 2 }, [])
  const valid = links.sign(photoId, 2).url
  return {
    albumName,
    password,
    ownerKey,
    submissionId,
    reference: (role) => (role === 'holder of the owner key' ? ownerKey : albumId),
    clients: {
      nobody: createClient(service.url),
      'guest of this album': guest,
      'guest of another album': await enter(other.albumName, await passwordOf(otherOwner, other.albumName)),
      owner,
      'owner of another album': otherOwner,
      'guest from before the password changed': formerGuest,
      'forged cookie': createClient(service.url, owner.cookie().replace(/.{8}$/, 'AAAAAAAA')),
      'holder of the owner key': createClient(service.url),
    },
    photoUrls: {
      valid,
      former,
      forged: valid.replace(/s=....../, 's=AAAAAA'),
      expired: links.sign(photoId, 2, Date.now() - 2 * 3600 * 1000).url,
    },
  }
}

type Call = (client: TestClient, world: World, role: Role) => Promise<{ status: number }>
/** The statuses in the order of ROLES, or one status for all. */
type Statuses = number[] | number

/** The calls of an album, which the role names in the address. */
const readAlbum =
  (path: string): Call =>
  (client, world, role) =>
    client.get(`/api/albums/${world.reference(role)}/${path}`)
const changeAlbum =
  (path: string, json: () => object = () => ({})): Call =>
  (client, world, role) =>
    client.post(`/api/albums/${world.reference(role)}/${path}`, json())
/** The calls that only the token of a letter or the receipt of an opt-out allows. No role has one. */
const UNKNOWN = 'x'.repeat(43)
const withToken =
  (path: string): Call =>
  (client) =>
    client.post(path, { token: UNKNOWN, receipt: UNKNOWN })

const GUESTS_AND_OWNER = [401, 200, 401, 200, 401, 401, 401, 401]
const GUESTS_OWNER_AND_KEY = [401, 200, 401, 200, 401, 401, 401, 200]
const OWNER_AND_KEY = [401, 403, 401, 200, 401, 401, 401, 200]

/** The calls of mail programs, which are not in the document. */
const OF_MAIL_PROGRAMS = ['POST /stop-letters', 'POST /photo-letters']

/** The calls that change what later calls of the same world are answered. */
const CHANGING = [
  'POST /user-albums',
  'POST /log-out',
  'POST /albums/{albumName}/authenticate',
  'POST /albums/{userAlbumId}/upload-photos',
  'POST /albums/{id}/password',
  'POST /albums/{id}/owner-key',
  'POST /albums/{id}/settings',
  'POST /albums/{id}/letter-address',
  'DELETE /albums/{id}',
  'POST /submit-photo',
  'DELETE /submissions/{id}',
  'TRPC albums.enterAsOwner',
]

/** The calls of the owner and of the holder of the key: what they read, and what they change, with the body. */
const OF_OWNER: Record<string, () => object> = {
  ...{ 'GET guests': Object, 'GET settings': Object, 'GET owner-photos': Object, 'GET cameras': Object },
  ...{ 'GET letter-address': Object, 'GET coverage': Object, 'GET opt-outs': Object },
  // In the order of the roles the owner's new password ends the guest's grant before the key holder calls.
  ...{ 'POST password': Object, 'POST finish-upload': Object, 'POST device-links': Object },
  'POST settings': () => ({ browsing: 'on' }),
  'POST name': () => ({ displayName: 'Tables' }),
  'POST photos/delete': () => ({ photoIds: [randomUUID()] }),
  'POST photos/hide': () => ({ photoIds: [randomUUID()], hidden: true }),
  'POST photos/retry': Object,
  'POST cameras/shift': () => ({ camera: 'Any', minutes: 60 }),
  'POST letter-address': () => ({ email: `${randomUUID()}@example.com` }),
  'POST opt-outs': () => ({ ids: [randomUUID()], change: 'revoke' }),
}
const ownersCalls = Object.entries(OF_OWNER).map(([name, json]): [string, [Call, Statuses]] => {
  const [method, path] = name.split(' ') as [string, string]
  return [
    `${method} /albums/{id}/${path}`,
    [method === 'GET' ? readAlbum(path) : changeAlbum(path, json), OWNER_AND_KEY],
  ]
})

/** Every call, with what each role gets. */
const MATRIX: Record<string, [Call, Statuses]> = {
  ...Object.fromEntries(ownersCalls),
  'POST /user-albums': [
    (client) => client.post('/api/user-albums', { email: 'a@example.com', albumName: 'Mine' }),
    200,
  ],
  'GET /albums/list': [(client) => client.get('/api/albums/list'), 200],
  'TRPC albums.listPage': [(client) => client.query('albums.listPage', {}), 200],
  'GET /albums/auth-status/{albumName}': [
    (client, { albumName }) => client.get(`/api/albums/auth-status/${albumName}`),
    200,
  ],
  'POST /albums/{albumName}/authenticate': [
    (client, { albumName }) => client.post(`/api/albums/${albumName}/authenticate`, { password: 'wrong' }),
    401,
  ],
  'POST /log-out': [(client, { albumName }) => client.post('/api/log-out', { albumName }), 200],
  'GET /albums/by-name/{albumName}': [
    (client, { albumName }) => client.get(`/api/albums/by-name/${albumName}`),
    GUESTS_AND_OWNER,
  ],
  'POST /search-in-album': [(client, { albumName }) => client.search(albumName, photo), GUESTS_AND_OWNER],
  // Guests may see all photos only where the owner allows it.
  'GET /albums/{albumName}/photos': [
    (client, { albumName }) => client.get(`/api/albums/${albumName}/photos`),
    [401, 403, 401, 200, 401, 401, 401, 401],
  ],
  // No role has the token of a search. The tests in src/http/search-tokens.test.ts use real ones.
  'POST /albums/{albumName}/opt-out': [
    (client, { albumName }) => client.post(`/api/albums/${albumName}/opt-out`, { searchToken: 'x' }),
    [401, 403, 401, 403, 401, 401, 401, 401],
  ],
  // The tests in src/opt-outs, src/alerts and letters.test.ts use real ones.
  'POST /opt-outs/read': [withToken('/api/opt-outs/read'), 404],
  'POST /opt-outs/undo': [withToken('/api/opt-outs/undo'), 404],
  'POST /albums/{albumName}/alerts': [
    (client, { albumName }) =>
      client.post(`/api/albums/${albumName}/alerts`, {
        email: 'guest@example.com',
        searchToken: 'x',
        consent: true,
      }),
    [401, 403, 401, 403, 401, 401, 401, 401],
  ],
  'POST /alerts/end': [withToken('/api/alerts/end'), 404],
  'GET /albums/{id}/progress': [readAlbum('progress'), GUESTS_OWNER_AND_KEY],
  'POST /albums/{userAlbumId}/upload-photos': [
    (client, world, role) => client.uploadPhotos(world.reference(role), [{ name: 'b.jpg', bytes: photo }]),
    OWNER_AND_KEY,
  ],
  'POST /albums/{id}/owner-key': [
    changeAlbum('owner-key'),
    // The owner's call has ended the key.
    [401, 403, 401, 200, 401, 401, 401, 404],
  ],
  // The answer says nothing about the address.
  'POST /albums/letters': [
    (client, _, role) => client.post('/api/albums/letters', { email: `${ROLES.indexOf(role)}@example.com` }),
    200,
  ],
  // Only the token counts, and no role has one. way-in.test.ts uses real ones.
  'POST /device-links/use': [(client) => client.post('/api/device-links/use', { token: UNKNOWN }), 404],
  'GET /albums/{id}/photos/{photoId}': [
    (client, world, role) =>
      client.get(`/api/albums/${world.reference(role)}/photos/${world.photoUrls.valid.split('/')[2]}`),
    OWNER_AND_KEY,
  ],
  'DELETE /albums/{id}': [
    (client, world, role) => client.delete(`/api/albums/${world.reference(role)}`),
    // The owner's call has erased the album. Its key still shows what remains.
    [401, 403, 401, 200, 404, 404, 404, 200],
  ],
  'POST /submit-photo': [
    (client, { ownerKey }, role) =>
      client.submitSelfie(photo, role === 'holder of the owner key' ? { userAlbumId: ownerKey } : {}),
    // Without the key it searches the albums of the session.
    [401, 200, 200, 200, 200, 401, 401, 200],
  ],
  'GET /results/{id}': [(client, { submissionId }) => client.get(`/api/results/${submissionId}`), 200],
  'GET /photos/{id}': [(client, { submissionId }) => client.get(`/api/photos/${submissionId}`), 200],
  'DELETE /submissions/{id}': [
    (client, { submissionId }) => client.delete(`/api/submissions/${submissionId}`),
    // The first call deletes it.
    [200, 404, 404, 404, 404, 404, 404, 404],
  ],
  // The addresses of the photos give the right: zips.test.ts has others.
  'POST /zips': [
    (client, { photoUrls }, role) =>
      client.post('/api/zips', { photos: [role === 'nobody' ? photoUrls.forged : photoUrls.valid] }),
    [403, 200, 200, 200, 200, 200, 200, 200],
  ],
  'TRPC albums.visit': [(client, { albumName }) => client.query('albums.visit', { albumName }), 200],
  'TRPC albums.enterAsOwner': [
    (client, world, role) => client.post('/trpc/albums.enterAsOwner', { ownerKey: world.reference(role) }),
    // The public id, which the other roles know, is no key.
    [404, 404, 404, 404, 404, 404, 404, 200],
  ],
  'TRPC albums.browserKey': [
    (client, world, role) => client.query('albums.browserKey', { id: world.reference(role) }),
    OWNER_AND_KEY,
  ],
  'TRPC letters.confirm': [withToken('/trpc/letters.confirm'), 404],
  'TRPC letters.stop': [withToken('/trpc/letters.stop'), 404],
  'TRPC letters.confirmNewAddress': [withToken('/trpc/letters.confirmNewAddress'), 404],
  'POST /stop-letters': [(client) => client.post(`/stop-letters?token=${UNKNOWN}`, {}), 404],
  'TRPC alerts.confirm': [withToken('/trpc/alerts.confirm'), 404],
  'TRPC alerts.read': [withToken('/trpc/alerts.read'), 404],
  'POST /photo-letters': [(client) => client.post(`/photo-letters?token=${UNKNOWN}`, {}), 404],
  // Only for the maintainer: mail-setup.test.ts and setup-link.test.ts.
  'GET /auth/gmail': [(client) => client.get('/api/auth/gmail'), 401],
  'GET /gmail/auth-url': [(client) => client.get('/api/gmail/auth-url'), 401],
  'POST /gmail/callback': [(client) => client.post('/api/gmail/callback', { code: 'x' }), 401],
  'TRPC mailSetup.openSetupLink': [
    (client) => client.post('/trpc/mailSetup.openSetupLink', { token: 'A'.repeat(32) }),
    401,
  ],
}

/** A world for all calls that change nothing in it. */
const readOnly = await createWorld()

describe('who may do what', () => {
  test('every call has a row, and every row is a call', () => {
    const { paths = {} } = openApiDocument()
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods ?? {}).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyProcedure>)
    const ofWebApp = procedures.flatMap(([name, { _def }]) => (_def.meta ? [] : `TRPC ${name}`))
    expect(ofWebApp.length).toBeGreaterThan(5)
    expect([...calls, ...ofWebApp, ...OF_MAIL_PROGRAMS].sort()).toEqual(Object.keys(MATRIX).sort())
  })

  test.each(Object.keys(MATRIX))('%s', async (name) => {
    const [call, statuses] = MATRIX[name]!
    const world = CHANGING.includes(name) ? await createWorld() : readOnly
    const seen: Partial<Record<Role, number>> = {}
    for (const role of ROLES) seen[role] = (await call(world.clients[role], world, role)).status
    const expected = ROLES.map((role, index) => [role, Array.isArray(statuses) ? statuses[index] : statuses])
    expect(seen).toEqual(Object.fromEntries(expected))
    const [method, path] = name.split(' ') as [string, string]
    const documented = openApiDocument().paths![path]?.[method.toLowerCase() as 'get']?.responses
    if (documented)
      expect(Object.keys(documented)).toEqual(expect.arrayContaining(Object.values(seen).map(String)))
  })

  test('a visit shows the album and its password to those with a grant, and to nobody else', async () => {
    const world = readOnly
    const shown: Partial<Record<Role, object>> = {}
    for (const role of ROLES) {
      const { body } = await world.clients[role].query('albums.visit', { albumName: world.albumName })
      const { isAuthenticated, album, progress } = body.result.data
      shown[role] = { isAuthenticated, isOwner: album?.isOwner, total: progress?.totalPhotos }
      expect(JSON.stringify(body).includes(world.password)).toBe(isAuthenticated)
    }
    const outside = { isAuthenticated: false, isOwner: undefined, total: undefined }
    expect(shown).toEqual({
      ...Object.fromEntries(ROLES.map((role) => [role, outside])),
      'guest of this album': { isAuthenticated: true, isOwner: false, total: 1 },
      owner: { isAuthenticated: true, isOwner: true, total: 1 },
    })
    const asGuest = { albumName: world.albumName, as: 'guest' }
    const looks = (role: Role) => world.clients[role].query('albums.visit', asGuest)
    expect((await looks('owner')).body.result.data.album.isOwner).toBe(false)
    expect((await looks('guest from before the password changed')).body.result.data.album).toBeNull()
  })

  test('the owner key makes a session the owner of its album, and of no other', async () => {
    const world = await createWorld()
    for (const role of ['nobody', 'guest of this album', 'owner of another album'] as const) {
      const client = world.clients[role]
      const entered = await client.post('/trpc/albums.enterAsOwner', { ownerKey: world.ownerKey })
      expect(entered.body.result.data.album.albumName).toBe(world.albumName)
      const { body } = await client.get(`/api/albums/by-name/${world.albumName}`)
      expect(body.album).toMatchObject({ isOwner: true, albumPassword: world.password })
    }
    const guest = world.clients['guest of another album']
    await guest.post('/trpc/albums.enterAsOwner', { ownerKey: 'A'.repeat(32) })
    expect((await guest.get(`/api/albums/by-name/${world.albumName}`)).status).toBe(401)
  })

  test('the password opens an album for every role', async () => {
    const world = await createWorld()
    const path = `/api/albums/${world.albumName}/authenticate`
    for (const role of ROLES)
      expect((await world.clients[role].post(path, { password: world.password })).status).toBe(200)
  })

  test('a zip opens with its address, until the password changes', async () => {
    const { clients, photoUrls, ownerKey } = await createWorld()
    const { body } = await clients.nobody.post('/api/zips', { photos: [photoUrls.valid] })
    const path = body.parts[0].url.replace(service.url, '')
    for (const client of Object.values(clients)) expect((await client.get(path)).status).toBe(200)
    await clients.owner.post(`/api/albums/${ownerKey}/password`, {})
    for (const client of Object.values(clients)) expect((await client.get(path)).status).toBe(403)
  })

  test('a photo opens with a valid link, and with no other', async () => {
    const { clients, photoUrls } = readOnly
    for (const client of Object.values(clients)) {
      expect((await client.get(photoUrls.valid)).status).toBe(200)
      expect((await client.get(photoUrls.former)).status).toBe(403)
      expect((await client.get(photoUrls.forged)).status).toBe(403)
      expect((await client.get(photoUrls.expired)).status).toBe(403)
    }
  })
})
