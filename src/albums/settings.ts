import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import { type AlbumSettings, albumSettings } from '../contract/albums/album-settings.ts'
import type { AuditEvent } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { indexedPhotoIds } from '../photos/queries.ts'
import { type OwnedAlbum, withOwnedAlbum } from './access.ts'
import { changeAlbum } from './queries.ts'

/** What the audit log says of a setting that has changed. */
const eventOf = (setting: keyof AlbumSettings, value: unknown): AuditEvent =>
  `${setting} ${value === 'on' ? 'turned on' : value === 'off' ? 'turned off' : 'changed'}`

export const closesTooEarly = () => {
  const message = 'The album must close after it opens'
  return new AppError('BAD_REQUEST', message, { issues: [{ path: ['closesAt'], message }] })
}
export const fixedForChildren = () =>
  new AppError(
    'CONFLICT',
    'While the album is for children, it is not in the list, guests do not see all photos, and they tick that they agree.',
    { reason: 'for_children' },
  )
export const noSuchCover = () =>
  new AppError('NOT_FOUND', 'This photo cannot be the cover, because guests do not see it.')

/** Changes the settings that are given. The audit log gets an event for each that was different.
 *  @returns the settings as they are now
 *  @throws AppError BAD_REQUEST when the album would close before it opens, CONFLICT for a setting that an album for children does
 *    not have, NOT_FOUND for a cover that guests do not see */
export async function changeSettings(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  owned: OwnedAlbum,
  changes: { [Name in keyof AlbumSettings]?: AlbumSettings[Name] | undefined },
  by: Actor,
): Promise<AlbumSettings> {
  return await withOwnedAlbum(db, owned, async (trx, album) => {
    const former = album.settings
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
    const now: AlbumSettings = { ...former, ...given }
    const { opensAt, closesAt, coverId } = now
    if (opensAt && closesAt && closesAt <= opensAt) throw closesTooEarly()
    if (now.forChildren === 'on') {
      if (changes.listed === 'on' || changes.browsing === 'on' || changes.consentTick === 'off')
        throw fixedForChildren()
      Object.assign(now, {
        listed: 'off',
        browsing: 'off',
        consentTick: 'on',
      } satisfies Partial<AlbumSettings>)
    }
    const isNewCover = coverId !== null && coverId !== former.coverId
    if (isNewCover && (await indexedPhotoIds(trx, album.id, [coverId])).size === 0) throw noSuchCover()
    await changeAlbum(trx, album.id, { settings: now })
    for (const setting of albumSettings.keyof().options)
      if (now[setting] !== former[setting]) {
        const event = eventOf(setting, now[setting])
        await recordEvent({ db: trx, keyring }, { event, album, by })
      }
    return now
  })
}

/** Changes the name that pages and letters show. The address of the album stays. */
export async function renameAlbum(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  owned: OwnedAlbum,
  displayName: string,
  by: Actor,
): Promise<void> {
  await withOwnedAlbum(db, owned, async (trx, album) => {
    if (album.display_name === displayName) return
    await changeAlbum(trx, album.id, { display_name: displayName })
    await recordEvent({ db: trx, keyring }, { event: 'album renamed', album, by })
  })
}
