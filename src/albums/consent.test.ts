import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { CONSENT } from '../contract/wording.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain.ts'
import { countConsent } from './consent.ts'
import { countRowsOfAlbum } from './erasure-queries.ts'

newAlbumForEachTest()

const counted = async () =>
  (
    await sql<object>`select version, searches from consents where album_id = ${album.id} order by version`.execute(
      domain.db,
    )
  ).rows

test('the searches of a minute are counted by the version of the consent', async () => {
  await Promise.all([1, 2, 3].map(() => countConsent(domain.db, [album], {})))
  await countConsent(domain.db, [album], { consentVersion: 7 })
  // A minute may end in between.
  const rows = (await counted()) as { version: number; searches: number }[]
  const total = (version: number) =>
    rows.filter((row) => row.version === version).reduce((sum, { searches }) => sum + searches, 0)
  expect([total(CONSENT.version), total(7)]).toEqual([3, 1])
})

test('nothing but the album, the version and the minute is kept', async () => {
  await countConsent(domain.db, [album], {})
  const row = await domain.db.selectFrom('consents').selectAll().executeTakeFirstOrThrow()
  expect(Object.keys(row).sort()).toEqual(['album_id', 'minute', 'searches', 'version'])
  expect([row.minute.getSeconds(), row.minute.getMilliseconds()]).toEqual([0, 0])
})

test('an erasure deletes the counts with the album, and a check of what remains counts them', async () => {
  const before = await countRowsOfAlbum(domain.db, album.id)
  await countConsent(domain.db, [album], {})
  expect(await countRowsOfAlbum(domain.db, album.id)).toBe(before + 1)
  await domain.db.deleteFrom('albums').where('id', '=', album.id).execute()
  expect(await countRowsOfAlbum(domain.db, album.id)).toBe(0)
  await expect(countConsent(domain.db, [album], {})).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
