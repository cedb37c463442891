import { expect, test } from 'vitest'
import { consentNeeded } from '../albums/consent.ts'
import { type FormFields, formOf, readSample } from '../testing/client.ts'
import { albumName, createAlbumForEachTest, owner, ownerKey, service } from '../testing/own-album.ts'

createAlbumForEachTest({ work: false })

const photo = await readSample(1)

/** @param fields in this order; `photo` stands for the selfie */
function send(call: 'search-in-album' | 'submit-photo', fields: string[]) {
  const values: FormFields = { photo, albumName, userAlbumId: ownerKey, consent: 'true' }
  return owner.postForm(
    `/api/${call}`,
    formOf(Object.fromEntries(fields.map((name) => [name, values[name]!]))),
  )
}

const countedSearches = async () => {
  const { searches } = await service.database.db
    .selectFrom('consents')
    .innerJoin('albums', 'albums.id', 'consents.album_id')
    .select((eb) => eb.fn.sum<string>('searches').as('searches'))
    .where('slug', '=', albumName)
    .executeTakeFirstOrThrow()
  return Number(searches)
}

test.for([
  ['search-in-album', 'albumName'],
  ['submit-photo', 'userAlbumId'],
] as const)(
  '%s needs the tick where the album asks for it, before or after the photo',
  async ([call, album]) => {
    expect((await send(call, [album, 'photo'])).status).toBe(200)
    expect(await countedSearches()).toBe(1)
    await owner.post(`/api/albums/${ownerKey}/settings`, { consentTick: 'on' })
    const { status, body } = await send(call, [album, 'photo'])
    expect([status, body.message]).toEqual([400, consentNeeded().message])
    expect((await send(call, [album, 'consent', 'photo'])).status).toBe(200)
    expect((await send(call, [album, 'photo', 'consent'])).status).toBe(200)
    expect(await countedSearches()).toBe(3)
  },
)
