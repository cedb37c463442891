import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { oas31 } from 'zod-openapi'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { uploadOutput } from '../contract/photos.ts'
import { searchOutput } from '../contract/search.ts'
import { submitOutput } from '../contract/submissions.ts'
import { appOfFile, guestOf } from '../testing/app-of-file.ts'
import { createClient, readSample, type TestClient } from '../testing/client.ts'
import { faceIndexWith, surelyFound } from '../testing/engine-answers.ts'
import { insertIndexedPhotos } from '../testing/indexed-photos.ts'
import { maintainerOf } from '../testing/maintainer.ts'
import { pngThatClaims } from '../testing/png.ts'
import { openApiDocument } from './openapi.ts'
import { errorSchema } from './openapi-errors.ts'

const document = openApiDocument()

const operations = new Map(
  Object.entries(document.paths!).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [
      `${method.toUpperCase()} ${path}`,
      operation as oas31.OperationObject,
    ]),
  ),
)
const isForm = (call: string) =>
  'multipart/form-data' in ((operations.get(call)!.requestBody as oas31.RequestBodyObject)?.content ?? {})

type Form = [name: string, value: string | Uint8Array][]
interface Sent {
  /** Replaces the path parameter; `KEY` and `NAME` are those of an album. */
  id?: string
  as?: 'owner' | 'guest' | 'stranger' | 'maintainer'
  json?: unknown
  form?: Form
  /** As it is sent. */
  body?: string
  headers?: Record<string, string>
  query?: string
}

let photoId: string

/** Finds the same photo with every selfie. */
const engine = faceIndexWith({
  search: async ([albumId]) => surelyFound([[albumId!, [{ faceId: photoId, photoId, similarity: 90 }]]]),
})

const limits = structuredClone(RATE_LIMITS)
const google = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
const service = await appOfFile({ work: false, faces: engine, env: google, limits })
const owner = createClient(service.url)
const { ownerKey: key, albumName: name } = await owner.createAlbum()
const album = { id: (await owner.get(`/api/albums/by-name/${name}`)).body.album.id, key, name }
photoId = (await insertIndexedPhotos(service.database.db, album.id, 1))[0]!
const clients: Record<NonNullable<Sent['as']>, TestClient> = {
  owner,
  guest: await guestOf(service, owner, name),
  stranger: createClient(service.url),
  maintainer: await maintainerOf(service),
}

/** Makes a call, and checks that its answer has this status, which the document has, and the body of an error. */
async function expectRefusal(call: string, status: number, sent: Sent = {}): Promise<void> {
  const { body } = await answerTo(call, status, sent)
  // An upload says besides what happened to each file.
  const schema = call === UPLOAD ? errorSchema.extend(uploadOutput.partial().shape) : errorSchema
  expect(schema.strict().safeParse(body).error, `${call} ${status}`).toBeUndefined()
}

async function answerTo(call: string, status: number, sent: Sent): Promise<{ body: unknown }> {
  const { id = 'x', as = 'stranger', query = '', headers: further, json, form, body: raw } = sent
  const [method, path] = call.split(' ') as [string, string]
  const headers = new Headers({ cookie: clients[as].cookie(), ...further })
  if (json !== undefined) headers.set('content-type', 'application/json')
  const fields = new FormData()
  for (const [name, value] of form ?? [])
    if (typeof value === 'string')
      fields.append(name, value.replace('KEY', album.key).replace('NAME', album.name))
    else fields.append(name, new Blob([new Uint8Array(value)]), 'photo.jpg')
  const body = form ? fields : json === undefined ? raw : JSON.stringify(json)
  const named = id.replace('KEY', album.key).replace('NAME', album.name)
  const url = `${service.url}/api${path.replace(/\{\w+\}/, named)}${query}`
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
  const answer = (await response.json()) as { message: string }
  expect(response.status, `${call}: ${answer.message}`).toBe(status)
  expect(Object.keys(operations.get(call)!.responses!), call).toContain(String(status))
  return { body: answer }
}

const JSON_TYPE = { 'content-type': 'application/json' }
const MULTIPART = { 'content-type': 'multipart/form-data; boundary=x' }
const part = (name: string) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\nvalue\r\n`
const AS_OWNER = { id: 'KEY', as: 'owner' } as const

/** What every call of a kind refuses. */
function refusedByAll(call: string): [status: number, Sent][] {
  const json: Sent = call.startsWith('POST') ? { json: {} } : {}
  const path: [number, Sent][] = call.includes('{') ? [[400, { ...json, id: '%ZZ' }]] : []
  if (call.startsWith('GET')) return path
  const changes: [number, Sent][] = [
    [403, { headers: { origin: 'https://elsewhere.example' } }],
    [400, { headers: JSON_TYPE, body: '{"' }],
    [400, { headers: JSON_TYPE, body: '' }],
    [413, { json: 'x'.repeat(100_000) }],
    [415, { headers: { 'content-type': 'application/xml' }, body: '<x/>' }],
  ]
  if (call.startsWith('DELETE')) return [...path, ...changes]
  if (!isForm(call)) return [...path, ...changes, [415, { body: 'text' }], [415, {}]]
  return [
    ...path,
    ...changes,
    [415, { ...AS_OWNER, json: {} }],
    [400, { ...AS_OWNER, headers: MULTIPART, body: part('x') }],
    [400, { ...AS_OWNER, headers: MULTIPART, body: `${part('__proto__')}--x--` }],
    [413, { ...AS_OWNER, headers: MULTIPART, body: `${part('x').repeat(21)}--x--` }],
  ]
}

test.each([...operations.keys()])('%s refuses what all calls of its kind refuse', async (call) => {
  for (const [status, sent] of refusedByAll(call)) await expectRefusal(call, status, sent)
})

const OWN_JSON: Record<string, object> = {
  'POST /albums/{id}/name': { displayName: 'x' },
  'POST /albums/{id}/photos/delete': { photoIds: ['9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'] },
  'POST /albums/{id}/photos/hide': { photoIds: ['9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'], hidden: true },
  'POST /albums/{id}/cameras/shift': { camera: 'Any', minutes: 60 },
  'POST /albums/{id}/letter-address': { email: 'a@example.com' },
  'POST /albums/{id}/opt-outs': { ids: ['0d4c7f7e-58a1-4c4b-9b46-9d3f3f6c1c55'], change: 'hide' },
}
const OWNER_CALLS = [...operations.keys()].filter((call) => /^\w+ \/albums\/\{id\}/.test(call))
const ENTER = 'POST /albums/{albumName}/authenticate'
const UPLOAD = 'POST /albums/{userAlbumId}/upload-photos'
const SEARCH = 'POST /search-in-album'
const SUBMIT = 'POST /submit-photo'
const ALERT = 'POST /albums/{albumName}/alerts'
const OPT_OUT = 'POST /albums/{albumName}/opt-out'
const LONG = 'x'.repeat(1_001)
const asked = { email: 'a@example.com', searchToken: 'x', consent: true }
const words = Buffer.from('just words')
const form = (...fields: Form) => fields
const named = (...fields: Form): Sent => ({ as: 'owner', form: [['albumName', 'NAME'], ...fields] })

/** What calls refuse, beside the rights in access-matrix.test.ts. */
const REFUSALS: [status: number, call: string, Sent][] = [
  [400, 'POST /user-albums', { json: { email: 'organiser', albumName: '' } }],
  ...[
    { email: `${'a'.repeat(250)}@example.com` },
    { email: 'a@example.com\r\n' },
    { albumName: 'x'.repeat(121) },
    { albumName: '   ' },
    { albumName: 'Party\nBcc: all@example.com' },
    { albumName: { $ne: null } },
    { displayName: 'Party\nX: y' },
  ].map((wrong): [number, string, Sent] => [
    400,
    'POST /user-albums',
    { json: { email: 'owner@example.com', albumName: 'Party', ...wrong } },
  ]),
  [400, 'GET /albums/auth-status/{albumName}', { id: LONG }],
  [400, ENTER, { id: 'NAME', json: {} }],
  [400, ENTER, { id: 'NAME', json: { password: LONG } }],
  [401, ENTER, { id: 'NAME', json: { password: 'guess' } }],
  [404, ENTER, { id: 'unknown', json: { password: 'guess' } }],
  [400, 'POST /log-out', { json: { albumName: LONG } }],
  [404, 'GET /albums/by-name/{albumName}', { id: 'unknown' }],
  [404, 'GET /albums/by-name/{albumName}', { id: '50%25-off' }],
  ...OWNER_CALLS.map((call): [number, string, Sent] => [
    404,
    call,
    { id: 'unknown', ...(call.startsWith('POST') && { json: OWN_JSON[call] ?? {} }) },
  ]),
  [400, 'POST /albums/{id}/settings', { id: 'KEY', json: { listed: true } }],
  [400, 'POST /albums/{id}/name', { id: 'KEY', json: { displayName: ' ' } }],
  [400, 'POST /albums/{id}/photos/delete', { id: 'KEY', json: { photoIds: [] } }],
  [400, 'POST /albums/{id}/settings', { id: 'KEY', json: { browsing: 'maybe' } }],
  [400, 'POST /albums/{id}/settings', { id: 'KEY', json: { facesEndDays: 0 } }],
  [400, 'POST /albums/{id}/settings', { id: 'KEY', json: { opensAt: 'tomorrow' } }],
  [400, 'POST /albums/{id}/settings', { id: 'KEY', json: { opensAt: '0000-01-01T00:00:00Z' } }],
  [400, 'POST /albums/{id}/settings', { id: 'KEY', json: { closesAt: '9999-12-31T23:59:59-12:00' } }],
  [400, 'POST /albums/{id}/letter-address', { id: 'KEY', json: { email: 'organiser' } }],
  [400, 'POST /albums/{id}/opt-outs', { id: 'KEY', json: { ids: [], change: 'hide' } }],
  [400, 'GET /albums/list', { query: '?cursor=x' }],
  [400, 'GET /albums/{albumName}/photos', { as: 'owner', id: 'NAME', query: '?cursor=x' }],
  [404, 'GET /albums/{albumName}/photos', { as: 'owner', id: 'unknown' }],
  [404, UPLOAD, { id: 'A'.repeat(32), form: [['photos', words]] }],
  [400, UPLOAD, { id: 'KEY', form: [['totalIntendedPhotos', 'many']] }],
  [400, UPLOAD, { id: 'KEY', form: [['totalIntendedPhotos', '1']] }],
  [400, UPLOAD, { id: 'KEY', form: [['files', words]] }],
  [415, UPLOAD, { id: 'KEY', form: [['photos', words]] }],
  [413, UPLOAD, { id: 'KEY', form: Array.from({ length: 16 }, () => ['photos', words]) }],
  [400, SEARCH, { as: 'owner', form: [['photo', words]] }],
  [404, SEARCH, { as: 'owner', form: form(['albumName', 'unknown'], ['photo', words]) }],
  [403, SEARCH, named(['searchToken', 'forged'])],
  [400, SEARCH, named(['limit', '0'], ['photo', words])],
  [400, SUBMIT, named(['source', LONG], ['photo', words])],
  [400, SUBMIT, named(['photo', words], ['photo', words])],
  [404, SUBMIT, { form: form(['userAlbumId', 'unknown'], ['photo', words]) }],
  [401, SUBMIT, { form: [['photo', words]] }],
  ...[SEARCH, SUBMIT].flatMap((call): [number, string, Sent][] => [
    [400, call, named()],
    [400, call, named(['selfie', words])],
    [415, call, named(['photo', words])],
    [413, call, named(['photo', Buffer.alloc(11 * 1024 * 1024)])],
  ]),
  [400, OPT_OUT, { as: 'guest', id: 'NAME', json: {} }],
  [403, OPT_OUT, { as: 'guest', id: 'NAME', json: { searchToken: 'x' } }],
  [404, OPT_OUT, { id: 'unknown', json: { searchToken: 'x' } }],
  [400, ALERT, { as: 'guest', id: 'NAME', json: { ...asked, consent: false } }],
  [403, ALERT, { as: 'guest', id: 'NAME', json: asked }],
  [404, ALERT, { id: 'unknown', json: asked }],
  [400, 'POST /alerts/end', { json: {} }],
  [404, 'POST /alerts/end', { json: { token: 'x' } }],
  ...['read', 'undo'].flatMap((name): [number, string, Sent][] => [
    [400, `POST /opt-outs/${name}`, { json: {} }],
    [404, `POST /opt-outs/${name}`, { json: { receipt: 'x' } }],
  ]),
  ...['cursor=x', 'cursor=1_2', 'limit=0', 'limit=1001'].map((query): [number, string, Sent] => [
    400,
    'GET /photos/{id}',
    { query: `?${query}` },
  ]),
  ...['GET /results/{id}', 'GET /photos/{id}', 'DELETE /submissions/{id}'].map(
    (call): [number, string, Sent] => [404, call, {}],
  ),
  [400, 'POST /zips', { json: { photos: [] } }],
  [403, 'POST /zips', { json: { photos: ['forged'] } }],
  [400, 'POST /gmail/callback', { as: 'maintainer', json: { code: ' ' } }],
  [400, 'POST /gmail/callback', { as: 'maintainer', json: { code: 'x' } }],
]

test.each(REFUSALS)('%i %s, refusal %#', async (status, call, sent) => {
  await expectRefusal(call, status, sent)
})

test('several faults are one text, with one period between two sentences', async () => {
  const { body } = await answerTo(ALERT, 400, { id: 'NAME', json: { consentVersion: 0 } })
  expect(body).toMatchObject({
    message: expect.stringMatching(/no letters are sent\. consentVersion must be/),
  })
})

test('pictures that are too much for a decoder, or damaged, are refused by each call that takes one', async () => {
  const whole = await readSample(1)
  const pictures: [number, Buffer][] = [
    [413, pngThatClaims(30_000, 30_000)],
    [400, whole.subarray(0, whole.length / 2)],
  ]
  for (const [status, picture] of pictures) {
    await expectRefusal(UPLOAD, status, { id: 'KEY', form: [['photos', picture]] })
    for (const call of [SEARCH, SUBMIT]) await expectRefusal(call, status, named(['photo', picture]))
  }
  const { photos_stored } = await service.database.db
    .selectFrom('albums')
    .select('photos_stored')
    .where('id', '=', album.id)
    .executeTakeFirstOrThrow()
  // The album began with one.
  expect(photos_stored).toBe(1)
})

test('calls that take pictures answer as documented', async () => {
  const photo = await readSample(1)
  const answers: [string, Sent, z.ZodObject][] = [
    [UPLOAD, { id: 'KEY', form: [['photos', photo]] }, uploadOutput],
    [SEARCH, named(['photo', photo]), searchOutput],
    [SUBMIT, named(['photo', photo]), submitOutput],
  ]
  for (const [call, sent, schema] of answers)
    expect(schema.strict().safeParse((await answerTo(call, 200, sent)).body).error, call).toBeUndefined()
})

// It comes last: the service goes on with these limits.
describe('after too many calls', () => {
  const none = { calls: 0, ofSession: 0 }
  beforeAll(() => {
    for (const name of Object.keys(limits) as (keyof typeof limits)[]) Object.assign(limits[name], none)
  })

  test.each<[string, Sent]>([
    ['POST /user-albums', { json: { email: 'a@example.com', albumName: 'Party' } }],
    ['GET /albums/auth-status/{albumName}', { id: 'never-tried' }],
    [ENTER, { id: 'NAME', json: { password: 'guess' } }],
    ['GET /albums/by-name/{albumName}', { id: 'never-tried' }],
    ['GET /albums/{albumName}/photos', { id: 'never-tried' }],
    ['POST /log-out', { as: 'guest', json: {} }],
    ['POST /albums/{id}/password', { id: 'KEY', json: {} }],
    ['POST /albums/{id}/owner-key', { id: 'KEY', json: {} }],
    ['POST /albums/{id}/settings', { id: 'KEY', json: {} }],
    ['POST /albums/{id}/name', { id: 'KEY', json: { displayName: 'x' } }],
    ['POST /albums/{id}/photos/delete', { id: 'KEY', json: OWN_JSON['POST /albums/{id}/photos/delete'] }],
    ['POST /albums/{id}/letter-address', { id: 'KEY', json: { email: 'a@example.com' } }],
    ['POST /albums/{id}/opt-outs', { id: 'KEY', json: OWN_JSON['POST /albums/{id}/opt-outs']! }],
    [UPLOAD, { id: 'KEY', form: [['photos', words]] }],
    [SEARCH, named(['searchToken', 'forged'])],
    [SEARCH, named(['photo', words])],
    [SUBMIT, { form: [['photo', words]] }],
    ['POST /alerts/end', { json: { token: 'x' } }],
    ['POST /opt-outs/read', { json: { receipt: 'x' } }],
    ['POST /opt-outs/undo', { json: { receipt: 'x' } }],
  ])('%s answers 429 %j', async (call, sent) => {
    await expectRefusal(call, 429, sent)
  })
})
