import { expect, test, vi } from 'vitest'
import { engineDown, noFaceFound } from '../faces/errors.ts'
import { boxOf } from '../photos/face-box.ts'
import { searchOfFormerPassword, searchUnknown } from '../search/search-token.ts'
import { albumWith, appOfFile, guestOf } from '../testing/app-of-file.ts'
import { createClient, type FormFields, readSample, type TestClient } from '../testing/client.ts'
import { cropFace } from '../testing/sample-photos.ts'
import { newSelfie } from '../testing/selfie.ts'

const service = await appOfFile()
const owner = createClient(service.url)
const group = await readSample(1)
const { ownerKey, albumName } = await albumWith(owner, [{ name: 'group.jpg', bytes: group }], 'Wedding')
const faces = await service.database.db.selectFrom('faces').selectAll().orderBy('box_left').execute()
/** Somebody in the photo `group.jpg`. This picture is not in the album. */
const ana = await newSelfie(await cropFace(group, boxOf(faces[0]!), 1.8))

const search = (fields: FormFields, client = owner) => client.search(albumName, fields)
const enter = (guest?: TestClient) => guestOf(service, owner, albumName, guest)
const consents = async () => {
  const rows = await service.database.db.selectFrom('consents').select('searches').execute()
  return rows.reduce((sum, { searches }) => sum + searches, 0)
}
const setTick = (consent_tick: boolean) =>
  service.database.db.updateTable('albums').set({ consent_tick }).where('slug', '=', albumName).execute()

test('what follows a search needs its selfie no more, and is no further consent', async () => {
  const before = await consents()
  const first = (await search({ photo: ana })).body
  expect(await consents()).toBe(before + 1)
  // The organiser begins to ask for the tick. What was agreed to before stays agreed to.
  await setTick(true)
  const again = await search({ searchToken: first.searchToken })
  expect(again.status).toBe(200)
  expect(again.body.photos.map(({ similarity }: { similarity: number }) => similarity)).toEqual(
    first.photos.map(({ similarity }: { similarity: number }) => similarity),
  )
  expect(again.body).toMatchObject({ selfies: [], totalMatches: 1 })
  const remembered = (await search({ searchToken: again.body.searchToken, remember: 'true' })).body
  expect((await search({ searchToken: remembered.searchToken })).body.totalMatches).toBe(1)
  expect(await consents()).toBe(before + 1)
  await setTick(false)
})

test('a search that fails for the visitor is a consent, and one that the page repeats by itself is none', async () => {
  const before = await consents()
  const { faces } = service.context
  const isDown = vi.spyOn(faces, 'search').mockRejectedValue(engineDown())
  expect((await search({ photo: ana })).status).toBe(503)
  isDown.mockRestore()
  expect(await consents()).toBe(before)
  const seesNobody = vi.spyOn(faces, 'search').mockRejectedValue(noFaceFound())
  expect((await search({ photo: ana })).status).toBe(422)
  seesNobody.mockRestore()
  expect(await consents()).toBe(before + 1)
})

test('answers are kept with the token, until others are sent with it, so they can be taken back', async () => {
  const { searchToken, photos } = (await search({ photo: ana })).body
  const left = await search({ searchToken, rejected: photos[0].face.id })
  expect(left.body.totalMatches).toBe(0)
  expect((await search({ searchToken: left.body.searchToken })).body.totalMatches).toBe(0)
  expect((await search({ searchToken: left.body.searchToken, rejected: '' })).body.totalMatches).toBe(1)
})

test('it takes the guest out of the album, while its selfie shows who is asking', async () => {
  const guest = await enter()
  const first = (await search({ photo: ana }, guest)).body
  expect(first.optOut).toEqual({ count: 1, canKeepOut: true })
  const { searchToken, optOut } = (await search({ searchToken: first.searchToken }, guest)).body
  expect(optOut).toEqual(first.optOut)
  const takeOut = (token: string) =>
    guest.post(`/api/albums/${albumName}/opt-out`, { searchToken: token, except: [] })
  const { searchToken: remembered } = (await search({ searchToken, remember: 'true' }, guest)).body
  vi.setSystemTime(Date.now() + 3_600_000)
  const later = await search({ searchToken: remembered }, guest)
  expect(later.body).toMatchObject({ totalMatches: 1, optOutNeedsNewSelfie: true })
  expect((await takeOut(later.body.searchToken)).status).toBe(422)
  vi.useRealTimers()
  const { status, body } = await takeOut(searchToken)
  expect([status, body.faces]).toEqual([200, 1])
  expect((await search({ searchToken }, guest)).body.totalMatches).toBe(0)
  expect((await guest.post('/api/opt-outs/undo', { receipt: body.receipt })).status).toBe(200)
})

test('it is of no use to another visitor, who may have the password', async () => {
  const { searchToken } = (await search({ photo: ana })).body
  const answer = await search({ searchToken }, await enter())
  expect([answer.status, answer.body.message]).toEqual([403, searchUnknown().message])
})

test("it ends with the password of the album, and the answer says so; the owner's does not", async () => {
  const ofOwner = (await search({ photo: ana })).body.searchToken
  const guest = await enter()
  const { searchToken } = (await search({ photo: ana }, guest)).body
  await owner.post(`/api/albums/${ownerKey}/password`, {})
  expect((await search({ searchToken: ofOwner })).status).toBe(200)
  await enter(guest)
  const answer = await search({ searchToken }, guest)
  expect([answer.status, answer.body.message]).toEqual([403, searchOfFormerPassword().message])
})
