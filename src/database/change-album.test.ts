import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { changePassword } from '../albums/change-password.ts'
import { finishUpload } from '../albums/finish.ts'
import { lockAlbum } from '../albums/queries.ts'
import { changeSettings } from '../albums/settings.ts'
import { uploadBatch } from '../albums/upload.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain-album.ts'
import { samplePath } from '../testing/sample-photos.ts'
import { waitUntil } from '../testing/wait.ts'
import { changeAlbum } from './change-album.ts'

newAlbumForEachTest()

const ADDRESS = '203.0.113.7'
const OWNER = { role: 'owner', address: ADDRESS } as const

/** Locks the album until the returned function is called. */
async function holdAlbum(): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holding = domain.db.transaction().execute(async (trx) => {
    await lockAlbum(trx, album.id)
    locked.resolve()
    await released.promise
  })
  await locked.promise
  return async () => {
    released.resolve()
    await holding
  }
}

const countWaiting = async () =>
  (
    await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(domain.db)
  ).rows[0]!.count

test('many changes of one album leave the connections to other albums, to jobs and to reads', async () => {
  const other = await domain.newAlbum()
  const file = await domain.stage(samplePath(1))
  const letGo = await holdAlbum()
  const upload = uploadBatch(domain, album, {}, [file], ADDRESS)
  const changes = Array.from({ length: 5 }, () => [
    finishUpload(domain, album, ADDRESS),
    changeSettings(domain, album, { browsing: 'on' }, OWNER),
    changePassword(domain, album, OWNER),
  ]).flat()
  await waitUntil('a change that waits for the album', async () => (await countWaiting()) > 0)
  await finishUpload(domain, other, ADDRESS)
  await changeSettings(domain, other, { browsing: 'on' }, { ...OWNER, address: '198.51.100.1' })
  await finishUpload(domain, other)
  expect(await countWaiting()).toBe(1)
  await letGo()
  await Promise.all([upload, ...changes])
})

test('a change that has begun in time returns its result, however long it takes', async () => {
  const turn = { albumId: album.id, network: ADDRESS, waitMs: 20 }
  const released = Promise.withResolvers<void>()
  const begun = changeAlbum(domain.db, turn, async () => {
    await released.promise
    return 'a new key'
  })
  // Its time ends after that of the one that has begun.
  await expect(changeAlbum(domain.db, turn, async () => {})).rejects.toThrow(
    expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }),
  )
  released.resolve()
  expect(await begun).toBe('a new key')
})

test('whatever locks an album takes its turn before it takes a connection', () => {
  const root = join(import.meta.dirname, '..')
  const others = globSync('**/*.ts', { cwd: root, exclude: ['**/*.test.ts', 'testing/**'] }).filter((file) =>
    /\.transaction\(\)[\s\S]{0,200}(lockAlbum|lockAlbumOf|setPassword|setOwnerKey|recordRendition)\(/.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  )
  expect(others).toEqual([])
})
