import { beforeEach, expect, test } from 'vitest'
import { auditLine } from '../audit/audit-line.ts'
import { type Actor, COMMAND_LINE, eventsOfAlbum } from '../audit/audit-log.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain-album.ts'
import { findAlbum } from './queries.ts'
import { changeSettings, renameAlbum, settingsOf } from './settings.ts'

const OWNER: Actor = { role: 'owner', sessionId: 'session of anna', address: '203.0.113.7' }

newAlbumForEachTest()
beforeEach(async () => {
  await domain.db.deleteFrom('audit_log').execute()
})

const change = (changes: Parameters<typeof changeSettings>[2], by = OWNER) =>
  changeSettings(domain, album, changes, by)

test('a new album is listed, lets nobody browse, and asks for no tick', () => {
  expect(settingsOf(album)).toEqual({
    ...{ listed: 'on', browsing: 'off', consentTick: 'off', forChildren: 'off' },
    ...{ accent: 'marigold', coverId: null },
  })
})

test('settings that are not given stay as they are', async () => {
  expect(await change({ browsing: 'on' })).toMatchObject({
    ...{ listed: 'on', browsing: 'on', consentTick: 'off' },
  })
  expect(await change({ listed: 'off', consentTick: 'on' })).toMatchObject({
    browsing: 'on',
    consentTick: 'on',
  })
  expect(await change({})).toMatchObject({ listed: 'off', browsing: 'on', consentTick: 'on' })
})

test('the audit log says what was changed, and nothing about what was not', async () => {
  await change({ browsing: 'on', consentTick: 'off' })
  await change({ browsing: 'on', consentTick: 'on' })
  await change({ listed: 'off', browsing: 'off', consentTick: 'off' }, COMMAND_LINE)
  await change({ forChildren: 'on', accent: 'red' })
  const lines = (await eventsOfAlbum(domain, album.id)).map(auditLine)
  expect(lines).toEqual([
    expect.stringContaining(`  browsing turned on  album ${album.slug}  by owner, session`),
    expect.stringContaining(`  consent tick turned on  album ${album.slug}  by owner, session`),
    expect.stringMatching(/ {2}listing turned off {2}album \S+ {2}on the command line$/),
    expect.stringMatching(/ {2}browsing turned off {2}album \S+ {2}on the command line$/),
    expect.stringMatching(/ {2}consent tick turned off {2}album \S+ {2}on the command line$/),
    expect.stringContaining(`  consent tick turned on  album ${album.slug}  by owner, session`),
    expect.stringContaining(`  for children turned on  album ${album.slug}  by owner, session`),
    expect.stringContaining(`  accent changed  album ${album.slug}  by owner, session`),
  ])
})

test('a new name is shown from then on, at the same address, and is in the audit log', async () => {
  for (const name of ['Anna & Ben', 'Anna & Ben']) await renameAlbum(domain, album, name, OWNER)
  expect(await findAlbum(domain.db, { slug: album.slug })).toEqual({ ...album, display_name: 'Anna & Ben' })
  const lines = (await eventsOfAlbum(domain, album.id)).map(auditLine)
  expect(lines).toEqual([expect.stringContaining(`  album renamed  album ${album.slug}  by owner, session`)])
})
