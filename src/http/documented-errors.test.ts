import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invite } from '../albums/invitations.ts'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import { saveRefusedAddress } from '../mail/recipient-queries.ts'
import { addressHashes } from '../mail/recipients.ts'
import { receiptOf } from '../opt-outs/receipt-token.ts'
import { foundFaces } from '../search/found-faces.ts'
import { sealTicket, ticketEnd } from '../search/tickets.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient, readSample, type TestClient } from '../testing/client.ts'
import { duringNewOwnerKey } from '../testing/during-new-owner-key.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { maintainerOf } from '../testing/maintainer.ts'
import { blackPng, pngThatClaims } from '../testing/png.ts'
import { withArithmeticCoding, withEmptyScans } from '../testing/scan-bomb.ts'
import { buildApp } from './app.ts'
import { ARRIVAL_LIMITS } from './arrival-limits.ts'
import { openApiDocument } from './openapi.ts'

/** Errors below 500 that these tests do not cause: they take minutes, a full album, Google, a search that went before, or a picture that is too much for a decoder or the face engine. */
const ELSEWHERE =
  /^\S+ \S+ (408|413 The album is full|400 Google refused the authorization code|422 The photo (takes|could not)|422 Searching this picture|422 The face search crashed|403 Your search has ended|403 The password of this album has changed since)/

const calls = Object.entries(openApiDocument().paths!).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    call: `${method.toUpperCase()} ${path}`,
    isForm: 'multipart/form-data' in (operation.requestBody?.content ?? {}),
    responses: operation.responses as Record<
      string,
      { content: { 'application/json': { examples?: object } } }
    >,
  })),
)

let service: TestApp
let owner: TestClient
let guest: TestClient
let stranger: TestClient
let ownerKey: string
let albumName: string
let albumId: string
/** The errors that were answered, as `METHOD /path status message`. */
const seen = new Set<string>()

beforeAll(async () => {
  service = await startTestApp({
    work: false,
    env: { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' },
  })
  ;[owner, guest, stranger] = [1, 2, 3].map(() => createClient(service.url)) as [
    TestClient,
    TestClient,
    TestClient,
  ]
  ;({ ownerKey, albumName } = await owner.createAlbum())
  const { album } = (await owner.get(`/api/albums/by-name/${albumName}`)).body
  albumId = album.id
  await guest.post(`/api/albums/${albumName}/authenticate`, { password: album.albumPassword })
  await service.context.services.faces.createCollection(albumId)
})
afterAll(() => service?.close())

interface Sent {
  /** Replaces the path parameter. */
  id?: string
  as?: TestClient
  json?: unknown
  form?: [name: string, value: string | Blob][]
  headers?: Record<string, string>
  body?: string
  query?: string
  url?: string
}

/** Makes a call that fails, and records its error. */
async function provoke(
  call: string,
  { id = 'x', as = stranger, url = service.url, query = '', ...sent }: Sent,
): Promise<void> {
  const [method, path] = call.split(' ') as [string, string]
  const headers = new Headers({ cookie: as.cookie(), ...sent.headers })
  if ('json' in sent) headers.set('content-type', 'application/json')
  const form = new FormData()
  for (const [name, value] of sent.form ?? [])
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, 'photo.jpg')
  const body = sent.form ? form : 'json' in sent ? JSON.stringify(sent.json) : sent.body
  const address = `${url}/api${path.replace(/\{\w+\}/, id)}${query}`
  const response = await fetch(address, { method, headers, ...(body !== undefined && { body }) })
  const answer = (await response.json()) as { message: string }
  if (!response.ok) seen.add(`${call} ${response.status} ${answer.message}`)
}

const MULTIPART = { 'content-type': 'multipart/form-data; boundary=x' }
const part = (name: string) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\nvalue\r\n`
const fileOf = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)])
const words = fileOf(Buffer.from('just words'))
const blank = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#789' } })

/** A PNG whose header says that it has 30,000 × 30,000 pixels. */
const hugePng = () => fileOf(pngThatClaims(30_000, 30_000))

const progressive = () => blank(40).jpeg({ progressive: true }).toBuffer()
const arithmeticJpeg = async () => fileOf(withArithmeticCoding(await progressive()))
async function scanBomb(): Promise<Blob> {
  return fileOf(withEmptyScans(await progressive(), 1500))
}

async function halfAPhoto(): Promise<Blob> {
  const whole = await readSample(1)
  return fileOf(whole.subarray(0, whole.length / 2))
}

/** Its faces have 17 to 23 pixels. */
async function farAway(): Promise<Buffer> {
  return sharp(await readSample(5))
    .resize(160, 116)
    .extend({ right: 400, background: '#9bc' })
    .jpeg({ quality: 95 })
    .toBuffer()
}

test.each(calls)('$call: errors that all calls of its kind have', async ({ call, isForm }) => {
  const json = { 'content-type': 'application/json' }
  if (call.includes('{')) await provoke(call, { id: '%ZZ', ...(call.startsWith('POST') && { json: {} }) })
  if (call.startsWith('GET')) return
  await provoke(call, { headers: { origin: 'https://elsewhere.example' } })
  await provoke(call, { headers: json, body: '{"' })
  await provoke(call, { headers: json, body: '' })
  await provoke(call, { json: 'x'.repeat(100_000) })
  await provoke(call, { headers: { 'content-type': 'application/xml' }, body: '<x/>' })
  if (call.startsWith('POST') && !isForm) {
    await provoke(call, { body: 'text/plain, says fetch' })
    await provoke(call, { headers: json, body: '['.repeat(50) + ']'.repeat(50) })
    await provoke(call, {})
  }
  if (!isForm) return
  const asOwner = { id: ownerKey, as: owner }
  await provoke(call, { ...asOwner, json: {} })
  await provoke(call, { ...asOwner, headers: MULTIPART, body: part('x') })
  await provoke(call, { ...asOwner, headers: MULTIPART, body: `${part('__proto__')}--x--` })
  await provoke(call, { ...asOwner, headers: MULTIPART, body: `${part('x').repeat(21)}--x--` })
})

const LONG = 'x'.repeat(501)

test('creating, entering and seeing an album', async () => {
  await provoke('POST /user-albums', { json: { email: 'organiser', albumName: '' } })
  await provoke('GET /albums/auth-status/{albumName}', { id: LONG })
  const enter = 'POST /albums/{albumName}/authenticate'
  await provoke(enter, { id: albumName, json: {} })
  await provoke(enter, { id: albumName, json: { password: 'guess' } })
  await provoke(enter, { id: 'unknown', json: { password: 'guess' } })
  await provoke('POST /log-out', { json: { albumName: LONG } })
  const see = 'GET /albums/by-name/{albumName}'
  for (const id of [LONG, albumName, 'unknown']) await provoke(see, { id })
  for (const id of [LONG, albumId, 'unknown']) await provoke('GET /albums/{id}/progress', { id })
})

test.each([
  'POST /albums/{id}/finish-upload',
  'POST /albums/{id}/password',
  'POST /albums/{id}/owner-key',
  'POST /albums/{id}/listing',
  'GET /albums/{id}/settings',
  'POST /albums/{id}/settings',
  'GET /albums/{id}/letter-address',
  'POST /albums/{id}/letter-address',
  'DELETE /albums/{id}',
  'GET /albums/{id}/coverage',
  'POST /albums/{userAlbumId}/upload-photos',
])('%s is for the owner', async (call) => {
  const jsonOf: Record<string, object> = {
    'POST /albums/{id}/listing': { isListed: true },
    'POST /albums/{id}/letter-address': { email: 'a@example.com' },
  }
  const json = jsonOf[call] ?? {}
  const sent = call.includes('userAlbumId') ? { form: [] } : call.startsWith('POST') ? { json } : {}
  if (!call.includes('userAlbumId')) await provoke(call, { ...sent, id: LONG })
  await provoke(call, { ...sent, id: albumId })
  await provoke(call, { ...sent, id: albumId, as: guest })
  await provoke(call, { ...sent, id: 'unknown' })
})

test('owner calls that are under way when the owner key is changed', async () => {
  const calls: Record<string, Sent> = {
    'POST /albums/{userAlbumId}/upload-photos': { form: [['photos', fileOf(await readSample(1))]] },
    'POST /albums/{id}/finish-upload': { json: {} },
    'POST /albums/{id}/password': { json: {} },
    'POST /albums/{id}/owner-key': { json: {} },
    'POST /albums/{id}/listing': { json: { isListed: true } },
    'POST /albums/{id}/settings': { json: {} },
    'POST /albums/{id}/letter-address': { json: { email: 'a@example.com' } },
    'DELETE /albums/{id}': {},
  }
  const other = createClient(service.url)
  const { ownerKey: id, albumName: slug } = await other.createAlbum('Changed')
  const { album } = (await other.get(`/api/albums/by-name/${slug}`)).body
  for (const [call, sent] of Object.entries(calls))
    await duringNewOwnerKey(service.database.db, album.id, () => provoke(call, { ...sent, id }))
})

test('settings of an album, and what they refuse', async () => {
  await provoke('POST /albums/{id}/letter-address', { id: ownerKey, json: { email: 'organiser' } })
  const settings = 'POST /albums/{id}/settings'
  await provoke(settings, { id: ownerKey, json: { browsing: 'maybe', consentTick: 'maybe' } })
  const browse = 'GET /albums/{albumName}/photos'
  await provoke(browse, { as: owner, id: LONG })
  await provoke(browse, { as: owner, id: albumName, query: '?cursor=x' })
  await provoke(browse, { as: guest, id: albumName })
  await provoke(browse, { as: stranger, id: albumName })
  await provoke(browse, { as: owner, id: 'unknown' })

  const careful = createClient(service.url)
  const { albumName: id, ownerKey: key } = await careful.createAlbum('Ticks')
  await careful.post(`/api/albums/${key}/settings`, { consentTick: 'on' })
  const form: Sent['form'] = [
    ['albumName', id],
    ['userAlbumId', key],
    ['photo', words],
  ]
  for (const call of ['POST /search-in-album', 'POST /submit-photo'])
    await provoke(call, { as: careful, form })
})

test('zips', async () => {
  const { links } = service.context.services
  const valid = await addressOfPhoto(service, owner, ownerKey)
  const id = valid.split('/')[2]!
  const make = (...photos: string[]) => provoke('POST /zips', { json: { photos } })
  await make()
  await make('forged')
  await make(links.sign(id, 1, Date.now() - 2 * 3_600_000).url)
  await make(links.sign(id, 99).url)
  await service.database.db.deleteFrom('photos').where('id', '=', id).execute()
  await make(valid)
})

test('listing albums', async () => {
  await provoke('POST /albums/{id}/listing', { id: ownerKey, json: { isListed: 'no' } })
  await provoke('GET /albums/list', { query: '?cursor=x' })
})

test('uploading', async () => {
  const upload = (form: Sent['form']) =>
    provoke('POST /albums/{userAlbumId}/upload-photos', { id: ownerKey, ...(form && { form }) })
  await upload([['totalIntendedPhotos', 'many']])
  await upload([['totalIntendedPhotos', '1']])
  await upload([['files', words]])
  await upload([
    ['photos', words],
    ['photos', fileOf(Buffer.alloc(0))],
  ])
  await upload([['photos', fileOf(Buffer.alloc(0))]])
  await upload([['photos', await halfAPhoto()]])
  await upload([['photos', fileOf(Buffer.alloc(6 * 1024 * 1024))]])
  await upload([['photos', hugePng()]])
  await upload([['photos', await scanBomb()]])
  await upload([['photos', await arithmeticJpeg()]])
  await upload([['photos', words]])
  await upload(Array.from({ length: 16 }, () => ['photos', words]))
})

test.each(['POST /search-in-album', 'POST /submit-photo'])('%s: selfies', async (call) => {
  const send = (...form: NonNullable<Sent['form']>) =>
    provoke(call, { as: owner, form: [['albumName', albumName], ...form] })
  await send()
  await send(['photo', words], ['photo', words])
  await send(['photo', words], ['photo', words], ['photo', words], ['photo', words])
  await send(['selfie', words])
  await send(['photo', fileOf(Buffer.alloc(11 * 1024 * 1024))])
  await send(['photo', hugePng()])
  await send(['photo', await scanBomb()])
  await send(['photo', await arithmeticJpeg()])
  await send(['photo', await halfAPhoto()])
  await send(['photo', words])
})

test('searching an album', async () => {
  const photo = fileOf(await blank(400).jpeg().toBuffer())
  const search = (as: TestClient, ...form: NonNullable<Sent['form']>) =>
    provoke('POST /search-in-album', { as, form })
  await search(owner, ['photo', photo])
  await search(stranger, ['photo', photo], ['albumName', albumName])
  await search(owner, ['photo', photo], ['albumName', 'unknown'])
  await search(owner, ['photo', photo], ['albumName', albumName])
  await search(owner, ['photo', fileOf(await farAway())], ['albumName', albumName])
  await search(owner, ['photo', fileOf(blackPng(400))], ['albumName', albumName])
  await search(owner, ['ticket', 'forged'], ['albumName', albumName])
  await search(owner, ['ticket', 'forged'], ['photo', photo], ['albumName', albumName])
  await search(owner, ['ticket', 'AgAA'], ['albumName', albumName])
  await search(owner, ['ticket', 'forged'], ['confirmed', 'x'.repeat(43)], ['albumName', albumName])
  await search(owner, ...[1, 2, 3, 4].map((place) => [`${place}`, 'x'.repeat(20_000)] as [string, string]))
  const next = 'GET /albums/{albumName}/found-photos'
  await provoke(next, { as: owner, id: LONG, query: '?page=x' })
  await provoke(next, { as: owner, id: albumName, query: '?page=x' })
  await provoke(next, { as: stranger, id: albumName, query: '?page=x' })
  await provoke(next, { as: owner, id: 'unknown', query: '?page=x' })
})

test('opting out', async () => {
  const optOut = (json: object, as = guest, id = albumName) =>
    provoke('POST /albums/{albumName}/opt-out', { as, id, json })
  const { keyring, db } = service.context.services
  const searched = { id: albumId, password_version: 1 }
  await optOut({})
  await optOut({ faces: 'x' }, stranger)
  await optOut({ faces: 'x' }, guest, 'unknown')
  await optOut({ faces: 'x' })
  await optOut({ faces: foundFaces(keyring, searched, [], Date.now() - 3_600_000) })
  await optOut({ faces: foundFaces(keyring, searched, [randomUUID()]) })

  await db
    .insertInto('opt_outs')
    .values(many(1000, { album_id: albumId, state: 'waiting', faces: 1 }))
    .execute()
  const [photoId] = await insertIndexedPhotos(db, albumId, 1)
  const faces = many(40, {}).map(() => randomUUID())
  await db
    .insertInto('faces')
    .values(
      faces.map((id) => ({
        id,
        album_id: albumId,
        photo_id: photoId!,
        ...CORNER,
        confidence: 99,
        sharpness: null,
        brightness: null,
        yaw: null,
        pitch: null,
        roll: null,
      })),
    )
    .execute()
  await optOut({ faces: foundFaces(keyring, searched, faces) })
  const { id: waiting } = await db
    .selectFrom('opt_outs')
    .select('id')
    .where('album_id', '=', albumId)
    .executeTakeFirstOrThrow()
  await db.deleteFrom('opt_outs').where('album_id', '=', albumId).where('id', '<>', waiting).execute()
  await db
    .insertInto('opted_out_faces')
    .values(
      many(faces.length, {
        opt_out_id: waiting,
        album_id: albumId,
        photo_id: photoId!,
        ...CORNER,
      }),
    )
    .execute()
  await optOut({ faces: foundFaces(keyring, searched, faces) })
  await db.deleteFrom('photos').where('id', '=', photoId!).execute()

  const { id } = await db
    .insertInto('opt_outs')
    .values({ album_id: albumId, state: 'permanent', faces: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const call of ['POST /opt-outs/read', 'POST /opt-outs/undo'])
    for (const json of [{}, { receipt: 'x' }]) await provoke(call, { json })
  await provoke('POST /opt-outs/undo', { json: { receipt: receiptOf(keyring, id) } })
  await db.deleteFrom('opt_outs').where('album_id', '=', albumId).execute()
})

const CORNER = { box_left: 0, box_top: 0, box_width: 0.1, box_height: 0.1 }

const many = <Row>(count: number, row: Row): Row[] => Array.from({ length: count }, () => row)

/** A ticket of nobody for an album with its first password. */
const ticketFor = (site: TestApp, id: string) =>
  sealTicket(
    site.context.services.keyring,
    { id, password_version: 1 },
    { person: { templates: {}, confirmed: [], rejected: [] }, endsAt: ticketEnd(), searchedAt: new Date() },
  )

test('asking for letters about new photos', async () => {
  const ask = (json: object, as = guest, id = albumName) =>
    provoke('POST /albums/{albumName}/alerts', { as, id, json })
  const { keyring, db } = service.context.services
  const email = 'a@example.com'
  const request = { email, ticket: 'x', consent: true }
  await ask({ email, ticket: 'x' })
  await ask(request, guest, LONG)
  await ask(request, stranger)
  await ask(request, guest, 'unknown')
  await ask(request)
  await saveRefusedAddress(db, addressHashes(keyring, email)[0])
  await ask({ ...request, ticket: ticketFor(service, albumId) })
  await provoke('POST /alerts/end', { json: {} })
  await provoke('POST /alerts/end', { json: { token: 'x' } })
})

test('submitting a selfie', async () => {
  const submit = (as: TestClient, ...form: NonNullable<Sent['form']>) =>
    provoke('POST /submit-photo', { as, form: [['photo', words], ...form] })
  await submit(owner, ['source', LONG])
  await submit(stranger)
  await submit(stranger, ['userAlbumId', albumId])
  await submit(guest, ['userAlbumId', albumId])
  await submit(owner, ['userAlbumId', 'unknown'])
  for (const call of ['GET /results/{id}', 'GET /photos/{id}', 'DELETE /submissions/{id}'])
    await provoke(call, {})
  await provoke('GET /photos/{id}', { query: '?cursor=x' })
})

async function provokeWithSelfie(app: FastifyInstance): Promise<void> {
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  try {
    for (const call of ['POST /search-in-album', 'POST /submit-photo'])
      await provoke(call, { url, as: owner, form: [['photo', words]] })
  } finally {
    await app.close()
  }
}

test('a selfie while the last one is in work', async () => {
  const selfies = { ...ARRIVAL_LIMITS.selfies, perCaller: 0 }
  await provokeWithSelfie(await buildApp(service.context.services, { ...ARRIVAL_LIMITS, selfies }))
})

test('a selfie after too many that were not readable', async () => {
  const unreadableSelfie = { ...RATE_LIMITS.unreadableSelfie, perSession: 0 }
  const limits = { ...RATE_LIMITS, unreadableSelfie }
  await provokeWithSelfie(await buildApp({ ...service.context.services, limits }))
})

test('setting up mail', async () => {
  const exchange = 'POST /gmail/callback'
  const refuse = async (url: string, headers: Record<string, string> = {}) => {
    await provoke('GET /gmail/auth-url', { url, headers })
    await provoke('GET /auth/gmail', { url, headers })
    await provoke(exchange, { url, headers, json: {} })
  }
  await refuse(service.url)
  const others: Record<string, string>[] = [
    { ADMIN_TOKEN: 'the token of the maintainer' },
    { HOST: '0.0.0.0' },
  ]
  for (const env of others) {
    const wrongAdminToken = { ...RATE_LIMITS.wrongAdminToken, perAddress: 0 }
    const other = await startTestApp({ work: false, env, limits: { ...RATE_LIMITS, wrongAdminToken } })
    await refuse(other.url)
    await refuse(other.url, { authorization: 'Bearer guess' })
    await other.close()
  }
  const as = await maintainerOf(service)
  await provoke(exchange, { as, json: { code: ' ' } })
  await provoke(exchange, { as, json: { code: 'x' } })
  await provoke(exchange, { as, json: { code: '?error=access_denied' } })
})

test('too many calls, and calls that are not set up', async () => {
  const { albumsOfDay, wrongPassword, changeSecret, changeSettings, changeAddress, logOut } = RATE_LIMITS
  const { selfie, zip, optOut, alertOfNetwork, alertLetter, letterLink, unknownName } = RATE_LIMITS
  const none = { windowSeconds: 600, perAddress: 0, sessionShare: undefined, perAlbum: undefined }
  const strict = await startTestApp({
    work: false,
    limits: {
      ...RATE_LIMITS,
      albumsOfDay: { ...albumsOfDay, perAddress: 1 },
      wrongPassword: { ...wrongPassword, ...none },
      changeSecret: { ...changeSecret, ...none },
      changeSettings: { ...changeSettings, ...none },
      changeAddress: { ...changeAddress, ...none },
      logOut: { ...logOut, ...none },
      selfie: { ...selfie, ...none },
      zip: { ...zip, ...none },
      optOut: { ...optOut, ...none },
      alertOfNetwork: { ...alertOfNetwork, perAddress: 2 },
      alertLetter: { ...alertLetter, perAddress: 1 },
      letterLink: { ...letterLink, ...none },
      unknownName: { ...unknownName, perAddress: 1 },
    },
  })
  try {
    const { url } = strict
    const as = createClient(url)
    const { albumName: id, ownerKey: key } = await as.createAlbum()
    for (const call of ['password', 'owner-key', 'settings'].map((name) => `POST /albums/{id}/${name}`))
      await provoke(call, { url, id: key, json: {} })
    const email = 'a@example.com'
    await provoke('POST /albums/{id}/letter-address', { url, id: key, json: { email } })
    await provoke('POST /log-out', { url, as, json: {} })
    for (const call of ['read', 'undo'])
      await provoke(`POST /opt-outs/${call}`, { url, json: { receipt: 'x' } })
    const { album } = (await as.get(`/api/albums/by-name/${id}`)).body
    const { keyring } = strict.context.services
    const list = foundFaces(keyring, { id: album.id, password_version: 1 }, [randomUUID()])
    await provoke('POST /albums/{albumName}/opt-out', { url, as, id, json: { faces: list } })
    const request = { email: 'a@example.com', ticket: ticketFor(strict, album.id), consent: true }
    for (const name of ['a', 'a', 'b', 'c'])
      await provoke('POST /albums/{albumName}/alerts', {
        url,
        as,
        id,
        json: { ...request, email: `${name}@example.com` },
      })
    await provoke('POST /alerts/end', { url, json: { token: 'x' } })
    await provoke('POST /user-albums', { url, json: { email: 'a@example.com', albumName: 'Party' } })
    await provoke('POST /albums/{albumName}/authenticate', { url, id, json: { password: 'guess' } })
    await provoke('POST /search-in-album', {
      url,
      as,
      form: [
        ['photo', words],
        ['albumName', id],
      ],
    })
    await provoke('POST /submit-photo', { url, as, form: [['photo', words]] })
    await provoke('POST /zips', { url, json: { photos: [await addressOfPhoto(strict, as, key)] } })
    const maintainer = await maintainerOf(strict)
    await provoke('GET /gmail/auth-url', { url, as: maintainer })
    await provoke('GET /auth/gmail', { url, as: maintainer })
    await provoke('POST /gmail/callback', { url, as: maintainer, json: { code: 'x' } })
    const tried = { url, as, id: 'unknown-2' }
    await as.get('/api/albums/auth-status/unknown-1')
    await provoke('GET /albums/auth-status/{albumName}', tried)
    await provoke('GET /albums/by-name/{albumName}', tried)
    await provoke('GET /albums/{albumName}/found-photos', { ...tried, query: '?page=x' })
    await provoke('GET /albums/{albumName}/photos', tried)
    await provoke('POST /albums/{albumName}/authenticate', { ...tried, json: { password: 'guess' } })
    await provoke('POST /albums/{albumName}/opt-out', { ...tried, json: { faces: 'x' } })
    await provoke('POST /albums/{albumName}/alerts', { ...tried, json: request })
    await provoke('POST /search-in-album', {
      url,
      as,
      form: [
        ['albumName', 'unknown-2'],
        ['photo', words],
      ],
    })
  } finally {
    await strict.close()
  }
})

async function addressOfPhoto(site: TestApp, as: TestClient, key: string): Promise<string> {
  await as.uploadPhotos(key, [{ name: 'a.jpg', bytes: await readSample(1) }])
  const { id } = await site.database.db.selectFrom('photos').select('id').executeTakeFirstOrThrow()
  return site.context.services.links.sign(id, 1).url
}

test('invitations', async () => {
  const create = (url: string, inviteCode?: string) =>
    provoke('POST /user-albums', { url, json: { email: 'a@example.com', albumName: 'Party', inviteCode } })
  const closed = await startTestApp({ work: false, env: { ALBUM_CREATION: 'closed' } })
  await create(closed.url).finally(() => closed.close())
  const wrongInvitation = { ...RATE_LIMITS.wrongInvitation, perAddress: 1 }
  const { url, context, close } = await startTestApp({
    work: false,
    env: { ALBUM_CREATION: 'invited' },
    limits: { ...RATE_LIMITS, wrongInvitation },
  })
  try {
    await create(url)
    const [used, expired] = [
      await invite(context.services, { albums: 1, days: 1 }, COMMAND_LINE),
      await invite(context.services, { albums: 1, days: 0 }, COMMAND_LINE),
    ]
    await create(url, expired.code)
    const first = await createClient(url).post('/api/user-albums', {
      email: 'a@example.com',
      albumName: 'Party',
      inviteCode: used.code,
    })
    expect(first.status).toBe(200)
    await create(url, used.code)
    await create(url, 'guess')
    await create(url, 'guess')
  } finally {
    await close()
  }
})

test('the document has exactly these errors below 500, word for word', () => {
  const documented = calls.flatMap(({ call, responses }) =>
    Object.entries(responses).flatMap(([status, response]) =>
      Object.keys(response.content['application/json'].examples ?? {}).map(
        (message) => `${call} ${status} ${message}`,
      ),
    ),
  )
  expect([...seen].filter((failure) => !documented.includes(failure))).toEqual([])
  expect(
    documented.filter(
      (failure) => !seen.has(failure) && !/^\S+ \S+ 5/.test(failure) && !ELSEWHERE.test(failure),
    ),
  ).toEqual([])
})
