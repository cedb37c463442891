import { beforeEach, expect, test } from 'vitest'
import { auditLine } from '../audit/audit-line.ts'
import { type Actor, COMMAND_LINE, eventsOfAlbum } from '../audit/audit-log.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain.ts'
import { findAlbum } from './queries.ts'
import { changeSettings, closesTooEarly, renameAlbum } from './settings.ts'

const OWNER: Actor = { role: 'owner', sessionId: 'session of anna', address: '203.0.113.7' }

const AT_FIRST = { opensAt: null, closesAt: null, facesEndDays: 180 }

newAlbumForEachTest()
beforeEach(async () => {
  await domain.db.deleteFrom('audit_log').execute()
})

const change = (changes: Parameters<typeof changeSettings>[2], by = OWNER) =>
  changeSettings(domain, album, changes, by)

test('a new album is listed, lets nobody browse, and asks for no tick', () => {
  expect(album.settings).toEqual({
    ...{ listed: 'on', browsing: 'off', consentTick: 'off', scanAndGo: 'off', forChildren: 'off' },
    ...AT_FIRST,
    ...{ accent: 'marigold', coverId: null },
  })
})

test('settings that are not given stay as they are', async () => {
  const times = { opensAt: '2026-06-20T18:00:00.000Z', closesAt: '2026-07-20T18:00:00.000Z' }
  await change(times)
  expect(await change({ browsing: 'on' })).toMatchObject({ listed: 'on', browsing: 'on', ...times })
  await change({ listed: 'off', closesAt: null })
  const changed = { listed: 'off', browsing: 'on', opensAt: times.opensAt }
  expect(await change({})).toEqual({ ...album.settings, ...changed })
})

test('an album closes after it opens, whichever of the two is changed', async () => {
  const atOnce = { opensAt: '2026-06-20T18:00:00.000Z', closesAt: '2026-06-20T18:00:00.000Z' }
  await expect(change(atOnce)).rejects.toThrow(closesTooEarly())
  await change({ opensAt: '2026-06-20T18:00:00.000Z' })
  await expect(change({ closesAt: '2026-06-20T17:00:00.000Z' })).rejects.toThrow(closesTooEarly())
  await change({ closesAt: '2026-06-20T19:00:00.000Z' })
  await expect(change({ opensAt: '2026-06-20T20:00:00.000Z' })).rejects.toThrow(closesTooEarly())
})

test('the audit log says what was changed, and nothing about what was not', async () => {
  await change({ browsing: 'on', consentTick: 'off' })
  await change({ listed: 'off', browsing: 'off', facesEndDays: 30 }, COMMAND_LINE)
  await change({ forChildren: 'on', accent: 'red' })
  const lines = (await eventsOfAlbum(domain, album.id)).map(auditLine)
  expect(lines).toEqual([
    expect.stringContaining(`  browsing turned on  album ${album.slug}  by owner, session`),
    expect.stringMatching(/ {2}listed turned off {2}album \S+ {2}on the command line$/),
    expect.stringMatching(/ {2}browsing turned off {2}album \S+ {2}on the command line$/),
    expect.stringMatching(/ {2}facesEndDays changed {2}album \S+ {2}on the command line$/),
    expect.stringContaining(`  consentTick turned on  album ${album.slug}  by owner, session`),
    expect.stringContaining(`  forChildren turned on  album ${album.slug}  by owner, session`),
    expect.stringContaining(`  accent changed  album ${album.slug}  by owner, session`),
  ])
})

test('a new name is shown from then on, at the same address, and is in the audit log', async () => {
  for (const name of ['Anna & Ben', 'Anna & Ben']) await renameAlbum(domain, album, name, OWNER)
  expect(await findAlbum(domain.db, { slug: album.slug })).toEqual({ ...album, display_name: 'Anna & Ben' })
  const lines = (await eventsOfAlbum(domain, album.id)).map(auditLine)
  expect(lines).toEqual([expect.stringContaining(`  album renamed  album ${album.slug}  by owner, session`)])
})
