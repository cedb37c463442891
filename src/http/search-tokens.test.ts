import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import { consentNeeded } from '../albums/consent.ts'
import { engineDown, noFaceFound } from '../faces/errors.ts'
import { boxOf } from '../photos/face-box.ts'
import { searchOfFormerPassword, searchUnknown } from '../search/search-token.ts'
import { putSettings } from '../testing/album-rows.ts'
import { albumWith, appOfFile, guestOf, uploadAll } from '../testing/app-of-file.ts'
import { createClient, type FormFields, readSample, type TestClient } from '../testing/client.ts'
import { cropFace } from '../testing/sample-photos.ts'
import { newSelfie } from '../testing/selfie.ts'

const service = await appOfFile()
const owner = createClient(service.url)
const group = await readSample(1)
const { ownerKey, albumName } = await albumWith(owner, [{ name: 'group.jpg', bytes: group }], 'Wedding')
const faces = await service.database.db.selectFrom('faces').selectAll().orderBy('box_left').execute()
const portraits = await Promise.all(faces.map((face) => cropFace(group, boxOf(face), 1.8)))
/** Two people in the photo `group.jpg`. These pictures are not in the album. */
const [ana, ben] = (await Promise.all(portraits.map(newSelfie))) as [Buffer, Buffer]

const search = (fields: FormFields, client = owner) => client.search(albumName, fields)
const enter = (guest?: TestClient) => guestOf(service, owner, albumName, guest)
const consents = async () => {
  const rows = await service.database.db.selectFrom('consents').select('searches').execute()
  return rows.reduce((sum, { searches }) => sum + searches, 0)
}
const setTick = (consentTick: 'off' | 'on') => putSettings(service.database.db, { consentTick })

test('what follows a search needs its selfie no more, and is no further consent', async () => {
  const before = await consents()
  const first = (await search({ photo: ana })).body
  expect(await consents()).toBe(before + 1)
  // The organiser begins to ask for the tick. What was agreed to before stays agreed to.
  await setTick('on')
  const again = await search({ searchToken: first.searchToken })
  expect(again.status).toBe(200)
  expect(again.body.photos.map(({ similarity }: { similarity: number }) => similarity)).toEqual(
    first.photos.map(({ similarity }: { similarity: number }) => similarity),
  )
  expect(again.body).toMatchObject({ selfies: [], totalMatches: 1 })
  const remembered = (await search({ searchToken: again.body.searchToken, remember: 'true' })).body
  expect((await search({ searchToken: remembered.searchToken })).body.totalMatches).toBe(1)
  expect(await consents()).toBe(before + 1)
  const withSomebodyElse = await search({ searchToken: first.searchToken, otherPhoto: ben })
  expect(withSomebodyElse.body.message).toBe(consentNeeded().message)
  await setTick('off')
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

test('a token for thirty days is given only on request, and finds the same photos without a selfie', async () => {
  const plain = await search({ photo: ana })
  for (const field of ['searchTokenEndsAt', 'photoIds']) expect(plain.body).not.toHaveProperty(field)
  const { body } = await search({ photo: ana, remember: 'true' })
  expect(Math.round((Date.parse(body.searchTokenEndsAt) - Date.now()) / 86_400_000)).toBe(30)
  const found = await search({ searchToken: body.searchToken, remember: 'true' })
  expect(found).toMatchObject({ status: 200, body: { selfies: [], photos: plain.body.photos } })
  const { photoIds, searchTokenEndsAt } = body
  expect(found.body).toMatchObject({ photoIds, searchTokenEndsAt })
})

test.for<[string, Record<string, string>, string]>([
  ['nobody', {}, 'Please choose a selfie'],
  ['too much', { searchToken: 'x'.repeat(32_001) }, 'searchToken is too long'],
  ['no choice', { combine: 'neither' }, 'combine must be both or either'],
  ['no answer', { remember: 'perhaps' }, 'remember must be true or false'],
])('a form with %s is refused', async ([, fields, message]) => {
  const { status, body } = await search(fields)
  expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
})

describe('a search with a limit', async () => {
  /** The group photo five times, in different qualities. */
  const copies = [95, 90, 85, 80, 75].map(async (quality) => ({
    name: `${quality}.jpg`,
    bytes: await sharp(group).jpeg({ quality }).toBuffer(),
  }))
  const { albumName: name } = await albumWith(owner, await Promise.all(copies), 'Copies')
  const first = async (fields: FormFields = {}) => await owner.search(name, { photo: group, ...fields })
  /** The photos after so many, by the token of a search. */
  const pageAfter = (offset: number, searchToken: string) =>
    owner.search(name, { searchToken, limit: '2', offset: String(offset) })
  const named = (photos: { filename: string; similarity: number }[]) =>
    photos.map(({ filename, similarity }) => [filename, Math.round(similarity * 100)])

  test('gives the first photos, and by its token the others in pages, in the same order', async () => {
    const { body: whole, headers } = await first()
    expect(headers.get('content-encoding')).toMatch(/^(br|gzip)$/)
    expect(whole.photos).toHaveLength(5)
    const { body } = await first({ limit: '2' })
    expect([body.photos.length, body.matchedPhotos.length, body.totalMatches]).toEqual([2, 2, 5])
    const rest = await Promise.all([2, 4].map((offset) => pageAfter(offset, body.searchToken)))
    expect(named([body, ...rest.map((answer) => answer.body)].flatMap(({ photos }) => photos))).toEqual(
      named(whole.photos),
    )
    expect((await fetch(rest[1]!.body.photos[0].url)).status).toBe(200)
    expect((await pageAfter(5, body.searchToken)).body).toMatchObject({ photos: [], totalMatches: 5 })
  })

  test('shows no photo that was erased meanwhile', async () => {
    const { searchToken } = (await first({ limit: '4' })).body
    const [last] = (await pageAfter(4, searchToken)).body.photos
    await service.database.db.deleteFrom('photos').where('id', '=', last.url.split('/')[4]).execute()
    expect((await pageAfter(4, searchToken)).body).toMatchObject({ photos: [], totalMatches: 4 })
  })
})

// It comes last: the album has more photos from then on.
test('with a second person, photos with both are found, or with either', async () => {
  const alone = portraits.map((bytes, person) => ({ name: `${['ana', 'ben', 'third'][person]}.png`, bytes }))
  await uploadAll(owner, ownerKey, alone.slice(0, 2))
  const namesOf = ({ body }: { body: { photos: { filename: string }[] } }) =>
    body.photos.map(({ filename }) => filename).toSorted()
  const remember = async (photo: Buffer): Promise<string> =>
    (await search({ photo, remember: 'true' })).body.searchToken
  const both = ['group.jpg']
  expect(namesOf(await search({ photo: ana, otherPhoto: ben }))).toEqual(both)
  const either = await search({ photo: ana, otherPhoto: ben, combine: 'either' })
  expect(namesOf(either)).toEqual(['ana.png', 'ben.png', 'group.jpg'])
  expect(either.body).toMatchObject({ selfies: [{ searched: 0 }], otherSelfies: [{ searched: 0 }] })
  const [searchToken, otherSearchToken] = [await remember(ana), await remember(ben)]
  expect(namesOf(await search({ searchToken, otherSearchToken }))).toEqual(both)
  const answer = await search({ searchToken, otherPhoto: ben, remember: 'true' })
  expect(namesOf(answer)).toEqual(both)
  expect(answer.body.photoIds, 'of the first person').toHaveLength(2)
  expect(namesOf(await search({ searchToken: answer.body.searchToken }))).toEqual(['ana.png', 'group.jpg'])
})
