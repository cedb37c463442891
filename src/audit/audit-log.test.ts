import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { authenticate } from '../albums/authenticate.ts'
import { createAlbum } from '../albums/create.ts'
import { changePassword } from '../albums/password.ts'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { forgetAuditLog } from '../jobs/retention.ts'
import { createKeyring } from '../keyring.ts'
import { domainOfFile } from '../testing/domain.ts'
import { auditLine } from './audit-line.ts'
import { type Actor, allEvents, COMMAND_LINE, eventsOfAlbum, recordEvent } from './audit-log.ts'

const OWNER: Actor = { role: 'owner', sessionId: 'session of anna', address: '203.0.113.7' }

const domain = await domainOfFile()

beforeEach(async () => {
  await domain.db.deleteFrom('audit_log').execute()
  await domain.db.deleteFrom('rate_limits').execute()
})

async function newAlbum(albumName: string) {
  return (await createAlbum(domain, { email: 'owner@example.com', albumName }, OWNER)).album
}
const linesOf = async (nameOrId: string) => (await eventsOfAlbum(domain, nameOrId)).map(auditLine)

test('says when an album was created and changed, and whether by the same caller', async () => {
  const album = await newAlbum('Garden Party')
  await changePassword(domain, album, OWNER)
  await changePassword(domain, album, COMMAND_LINE)
  const lines = await linesOf('garden-party')
  expect(lines).toEqual([
    expect.stringMatching(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z {2}album created {2}album garden-party {2}by owner, session [\da-f]{8}, address [\da-f]{8}$/,
    ),
    expect.stringContaining('  password changed  album garden-party  by owner, session'),
    expect.stringMatching(/ {2}password changed {2}album garden-party {2}on the command line$/),
  ])
  expect(lines[1]!.split('by owner')[1]).toBe(lines[0]!.split('by owner')[1])
})

test('finds an erased album by its former name and by its id, also with a newer secret', async () => {
  const album = await newAlbum('Anna und Ben')
  await domain.db.deleteFrom('albums').where('id', '=', album.id).execute()
  await recordEvent(domain, { event: 'album erased', album, by: OWNER })
  const lines = await linesOf('anna-und-ben')
  expect(lines).toEqual([
    expect.stringContaining(`  album created  erased album ${album.id}  by owner`),
    expect.stringContaining(`  album erased  erased album ${album.id}  by owner`),
  ])
  expect(await linesOf(album.id)).toEqual(lines)
  const rotated = createKeyring(['the new secret', 'a secret for tests that is as long as a real one'])
  expect(await eventsOfAlbum({ db: domain.db, keyring: rotated }, 'anna-und-ben')).toHaveLength(2)
  expect(await linesOf('anna')).toEqual([])
})

test('holds no address, no session and no name', async () => {
  await newAlbum('Anna und Ben')
  await domain.db.deleteFrom('albums').execute()
  const rows = JSON.stringify(await allEvents(domain.db), (_key, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
  )
  for (const secret of ['203.0.113.7', 'session of anna', 'anna-und-ben', 'owner@example.com'])
    expect(rows).not.toContain(secret)
})

test('has no event when the change failed', async () => {
  const album = await newAlbum('Party')
  const broken = { ...domain.keyring, encrypt: () => Buffer.alloc(0), mac: () => fail() }
  const fail = (): never => {
    throw new Error('no key')
  }
  await expect(changePassword({ ...domain, keyring: broken }, album, OWNER)).rejects.toThrow('no key')
  const now = await domain.db.selectFrom('albums').selectAll().where('id', '=', album.id).executeTakeFirst()
  expect(now).toEqual(album)
  expect(await linesOf(album.slug)).toHaveLength(1)
})

test('says once in a window that a caller failed with too many passwords', async () => {
  const limits = { ...RATE_LIMITS, wrongSecret: { ...RATE_LIMITS.wrongSecret, calls: 3 } }
  const album = await newAlbum('Vault')
  async function guess(address: string, times: number): Promise<string[]> {
    for (let tries = 0; tries < times; tries++)
      await authenticate({ ...domain, limits }, { slug: album.slug, password: 'x', address }).catch(() => {})
    return (await linesOf(album.slug)).slice(1)
  }
  expect(await guess('10.0.0.1', 2)).toEqual([])
  const once = [expect.stringContaining('  password failed too often  album vault  by visitor, address')]
  expect(await guess('10.0.0.1', 1)).toEqual(once)
  expect(await guess('10.0.0.1', 2)).toEqual(once)
  expect(await guess('10.0.0.2', 3)).toEqual([...once, ...once])
})

test('is kept for 90 days', async () => {
  await newAlbum('Old')
  await domain.db.updateTable('audit_log').set({ at: sql<Date>`now() - interval '91 days'` }).execute()
  await newAlbum('Young')
  await domain.db
    .updateTable('audit_log')
    .set({ at: sql<Date>`now() - interval '89 days'` })
    .where('at', '>', sql<Date>`now() - interval '1 day'`)
    .execute()
  await forgetAuditLog.run(domain, {}, { attempt: 1 })
  expect((await allEvents(domain.db)).map(({ slug }) => slug)).toEqual(['young'])
})
