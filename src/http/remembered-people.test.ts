import { expect, test } from 'vitest'
import { consentNeeded } from '../albums/consent.ts'
import { boxOf } from '../photos/face-box.ts'
import { albumWith, appOfFile, uploadAll } from '../testing/app-of-file.ts'
import { createClient, type FormFields, readSample } from '../testing/client.ts'
import { cropFace } from '../testing/sample-photos.ts'

const service = await appOfFile()
const owner = createClient(service.url)
const group = await readSample(1)
const { ownerKey, albumName } = await albumWith(owner, [{ name: 'group.jpg', bytes: group }], 'Wedding')
const faces = await service.database.db.selectFrom('faces').selectAll().orderBy('box_left').execute()
/** Two people in the photo `group.jpg`, each also alone in a photo of their own. */
const [ana, ben] = (await Promise.all(faces.map((face) => cropFace(group, boxOf(face), 1.8)))) as [
  Buffer,
  Buffer,
]
await uploadAll(owner, ownerKey, [
  { name: 'ana.png', bytes: ana },
  { name: 'ben.png', bytes: ben },
])

const search = (fields: FormFields) => owner.search(albumName, fields)
const remember = async (picture: Buffer): Promise<string> =>
  (await search({ photo: picture, remember: 'true' })).body.searchToken

const namesOf = ({ body }: { body: { photos: { filename: string }[] } }) =>
  body.photos.map(({ filename }) => filename).toSorted()

test('a token for thirty days is given only on request, and finds the same photos without a selfie', async () => {
  const plain = await search({ photo: ana })
  expect(plain.body).toMatchObject({ totalMatches: 2 })
  for (const field of ['searchTokenEndsAt', 'photoIds']) expect(plain.body).not.toHaveProperty(field)

  const { body } = await search({ photo: ana, remember: 'true' })
  const days = (Date.parse(body.searchTokenEndsAt) - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(30)
  const found = await search({ searchToken: body.searchToken, remember: 'true' })
  expect(found.status).toBe(200)
  expect(found.body).toMatchObject({ selfies: [] })
  expect(found.body.photos).toEqual(plain.body.photos)
  expect(found.body.photoIds.toSorted()).toEqual(body.photoIds.toSorted())
  expect(found.body.searchTokenEndsAt).toBe(body.searchTokenEndsAt)
})

test('a token keeps what was rejected, and a token made from it ends at the same time', async () => {
  const first = (await search({ photo: ben, remember: 'true' })).body
  const wrong = first.photos.find(({ filename }: { filename: string }) => filename === 'group.jpg').face.id
  const second = (await search({ searchToken: first.searchToken, rejected: wrong, remember: 'true' })).body
  expect(second.searchTokenEndsAt).toBe(first.searchTokenEndsAt)
  expect(namesOf(await search({ searchToken: second.searchToken }))).toEqual(['ben.png'])
  expect(namesOf(await search({ searchToken: first.searchToken }))).toEqual(['ben.png', 'group.jpg'])
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

test('a search by token needs no consent, and a selfie of somebody else does', async () => {
  const searchToken = await remember(ana)
  const setTick = (consent_tick: boolean) =>
    service.database.db.updateTable('albums').set({ consent_tick }).where('slug', '=', albumName).execute()
  await setTick(true)
  expect((await search({ searchToken })).status).toBe(200)
  expect((await search({ searchToken, otherPhoto: ben })).body.message).toBe(consentNeeded().message)
  await setTick(false)
})

test('with a second person, photos with both are found, or with either', async () => {
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
