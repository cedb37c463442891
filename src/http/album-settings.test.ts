import { describe, expect, test, vi } from 'vitest'
import { consentNeeded } from '../albums/consent.ts'
import { PARENTS_CONSENT } from '../contract/wording.ts'
import { guestOf } from '../testing/app-of-file.ts'
import { createClient, type FormFields, formOf, readSample, type TestClient } from '../testing/client.ts'
import { expectError } from '../testing/expect-error.ts'
import { insertPhotoRows } from '../testing/indexed-photos.ts'
import { albumId, albumName, createAlbumForEachTest, owner, ownerKey, service } from '../testing/own-album.ts'

createAlbumForEachTest({ work: false })

const set = (changes: object) => owner.post(`/api/albums/${ownerKey}/settings`, changes)
const albumFor = async (client: TestClient) =>
  (await client.get(`/api/albums/by-name/${albumName}`)).body.album
const visit = async (client: TestClient) =>
  (await client.query('albums.visit', { albumName })).body.result.data

describe('an album for children', () => {
  const FIXED = { listed: 'off', browsing: 'off', consentTick: 'on' }

  test('is not listed, lets nobody browse and asks for the tick, whatever its owner says', async () => {
    await set({ browsing: 'on' })
    expect((await set({ forChildren: 'on' })).body).toMatchObject({ ...FIXED, forChildren: 'on' })
    for (const change of [{ listed: 'on' }, { browsing: 'on' }, { consentTick: 'off' }]) {
      const refused = await set(change)
      expectError(refused, 409, /^While the album is for children/)
      expect(refused.body.reason).toBe('for_children')
      expectError(await set({ forChildren: 'on', ...change }), 409, /^While/)
    }
    expect((await set({ ...FIXED, accent: 'blue' })).body).toMatchObject({ ...FIXED, accent: 'blue' })
    expect(await albumFor(owner)).toMatchObject({ ...FIXED, forChildren: 'on' })
  })

  test('that is no longer for children stays as it is until its owner changes the rest', async () => {
    await set({ forChildren: 'on' })
    expect((await set({ forChildren: 'off' })).body).toMatchObject({ ...FIXED, forChildren: 'off' })
    expect((await set({ listed: 'on' })).body).toMatchObject({ ...FIXED, listed: 'on' })
    await set({ forChildren: 'on' })
    expect((await set({ forChildren: 'off', browsing: 'on' })).body.browsing).toBe('on')
  })

  test('counts the consent of parents', async () => {
    await set({ forChildren: 'on' })
    const fields = { consent: 'true', photo: await readSample(1) }
    expect((await owner.search(albumName, fields)).status).toBe(200)
    expect(await consents()).toMatchObject([{ version: PARENTS_CONSENT.version }])
  })
})

describe('the cover', () => {
  test('is seen by guests who have entered, until it is hidden or deleted', async () => {
    const box = { box_left: 0.4, box_top: 0.2, box_width: 0.1, box_height: 0.1 }
    const indexed = { state: 'indexed', engine: 'embedded', face_count: 1 } as const
    const [photo] = await insertPhotoRows(service.context.db, albumId, [indexed])
    const coverId = photo!.id
    const guest = await guestOf(service, owner, albumName)
    expect((await set({ coverId })).body.coverId).toBe(coverId)
    const { url, ...seen } = (await albumFor(guest)).cover
    expect(seen).toEqual({ width: 400, height: 300, facesAt: 1 / 3 })
    expect(url).toMatch(`${service.url}/photos/${coverId}/preview?`)
    await service.context.db
      .insertInto('faces')
      .values({ id: coverId, album_id: photo!.album_id, photo_id: coverId, ...box })
      .execute()
    expect((await visit(guest)).album.cover.facesAt).toBeCloseTo(0.2 - 0.1 / 3, 5)

    const hide = (hidden: boolean) =>
      owner.post(`/api/albums/${ownerKey}/photos/hide`, { photoIds: [coverId], hidden })
    await hide(true)
    for (const client of [guest, owner]) expect((await albumFor(client)).cover).toBeNull()
    await hide(false)
    expect((await albumFor(guest)).cover).not.toBeNull()
    await owner.post(`/api/albums/${ownerKey}/photos/delete`, { photoIds: [coverId] })
    expect((await albumFor(guest)).cover).toBeNull()
    expect((await owner.get(`/api/albums/${ownerKey}/settings`)).body.coverId).toBeNull()
  })

  test('is not seen before the password, and the colour is', async () => {
    const [photo] = await insertPhotoRows(service.context.db, albumId, [
      { state: 'indexed', engine: 'embedded' },
    ])
    await set({ coverId: photo!.id, accent: 'teal' })
    expect(await visit(createClient(service.url))).toMatchObject({ album: null, accent: 'teal' })
    await set({ accent: 'marigold' })
    expect((await visit(owner)).accent).toBeNull()
  })

  test('is a photo of this album that guests see', async () => {
    const other = await owner.createAlbum('Other')
    const { id } = (await owner.get(`/api/albums/by-name/${other.albumName}`)).body.album
    const [foreign] = await insertPhotoRows(service.context.db, id, [
      { state: 'indexed', engine: 'embedded' },
    ])
    const rows = await insertPhotoRows(service.context.db, albumId, [{ state: 'hidden' }, {}])
    for (const photo of [foreign!, ...rows])
      expectError(await set({ coverId: photo.id, accent: 'red' }), 404, /guests do not see it/)
    expectError(await set({ coverId: 'x' }), 400, /coverId must be/)
    expect((await albumFor(owner)).accent).toBe('marigold')
    expect((await set({ coverId: null })).body.coverId).toBeNull()
  })
})

test('a code lets in while it is on and its password is the present one; the typed password always does', async () => {
  const enter = async (input: object) => {
    const guest = createClient(service.url)
    const { status } = await guest.post(`/api/albums/${albumName}/authenticate`, input)
    const entered = (await guest.get(`/api/albums/by-name/${albumName}`)).status
    expect(entered).toBe(status)
    return status
  }
  const { albumPassword: password } = await albumFor(owner)
  expect(await enter({ password, byCode: true })).toBe(401)
  expect(await enter({ password })).toBe(200)
  await set({ scanAndGo: 'on' })
  expect(await enter({ password, byCode: true })).toBe(200)
  const changed = (await owner.post(`/api/albums/${ownerKey}/password`, {})).body.albumPassword
  expect(changed).not.toBe(password)
  for (const byCode of [true, false]) expect(await enter({ password, byCode })).toBe(401)
  expect(await enter({ password: changed, byCode: true })).toBe(200)
  await set({ scanAndGo: 'off' })
  expect(await enter({ password: changed, byCode: true })).toBe(401)
  expect((await owner.get(`/api/albums/${ownerKey}/guests`)).body.entered).toBe(3)
})

test('the faces of an album begin to load when a guest enters its password or opens it again, and not with a wrong one', async () => {
  const prepare = vi.spyOn(service.context.faces, 'prepare')
  const { albumPassword: password } = await albumFor(owner)
  await visit(owner)
  expect(prepare, 'without faces').not.toHaveBeenCalled()
  await service.database.db.updateTable('albums').set({ faces_found: 3 }).execute()
  const guest = createClient(service.url)
  const enter = (tried: string) => guest.post(`/api/albums/${albumName}/authenticate`, { password: tried })
  await enter('wrong')
  await visit(guest)
  expect(prepare).not.toHaveBeenCalled()
  await enter(password)
  expect(prepare).toHaveBeenCalledExactlyOnceWith([albumId])
  await visit(guest)
  expect(prepare).toHaveBeenCalledTimes(2)
})

const photo = await readSample(1)

/** @param fields in this order; `photo` stands for the selfie */
function send(call: 'search-in-album' | 'submit-photo', fields: string[]) {
  const values: FormFields = { photo, albumName, userAlbumId: ownerKey, consent: 'true' }
  return owner.postForm(
    `/api/${call}`,
    formOf(Object.fromEntries(fields.map((name) => [name, values[name]!]))),
  )
}

const consents = async () =>
  service.context.db.selectFrom('consents').selectAll().where('album_id', '=', albumId).execute()
const countedSearches = async () => (await consents()).reduce((sum, { searches }) => sum + searches, 0)

test.for([
  ['search-in-album', 'albumName'],
  ['submit-photo', 'userAlbumId'],
] as const)(
  '%s needs the tick where the album asks for it, before or after the photo',
  async ([call, album]) => {
    expect((await send(call, [album, 'photo'])).status).toBe(200)
    expect(await countedSearches()).toBe(1)
    await set({ consentTick: 'on' })
    const { status, body } = await send(call, [album, 'photo'])
    expect([status, body.message]).toEqual([400, consentNeeded().message])
    expect((await send(call, [album, 'consent', 'photo'])).status).toBe(200)
    expect((await send(call, [album, 'photo', 'consent'])).status).toBe(200)
    expect(await countedSearches()).toBe(3)
  },
)
