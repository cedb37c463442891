import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import type { AlbumSettings } from '../contract/albums/album-settings.ts'
import type { Album, AuditEvent } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { indexedPhotoIds } from '../photos/queries.ts'
import { type OwnedAlbum, withOwnedAlbum } from './access.ts'
import { changeAlbum } from './queries.ts'

export function settingsOf(album: Album): AlbumSettings {
  return {
    listed: onOff(album.is_listed),
    browsing: onOff(album.browsing),
    consentTick: onOff(album.consent_tick),
    scanAndGo: onOff(album.scan_and_go),
    forChildren: onOff(album.for_children),
    opensAt: album.opens_at?.toISOString() ?? null,
    closesAt: album.closes_at?.toISOString() ?? null,
    facesEndDays: album.faces_end_days,
    accent: album.accent ?? 'marigold',
    coverId: album.cover_photo_id,
  }
}

const onOff = (isOn: boolean) => (isOn ? 'on' : 'off')
const dateOf = (time: string | null) => (time === null ? null : new Date(time))

/** What the audit log says of a setting that was changed. */
const EVENTS = {
  listed: ({ listed }) => `listing turned ${listed}`,
  browsing: ({ browsing }) => `browsing turned ${browsing}`,
  consentTick: ({ consentTick }) => `consent tick turned ${consentTick}`,
  scanAndGo: ({ scanAndGo }) => `scan and go turned ${scanAndGo}`,
  forChildren: ({ forChildren }) => `for children turned ${forChildren}`,
  opensAt: () => 'opening time changed',
  closesAt: () => 'closing time changed',
  facesEndDays: () => 'end of faces changed',
  accent: () => 'accent changed',
  coverId: () => 'cover changed',
} as const satisfies Record<keyof AlbumSettings, (now: AlbumSettings) => AuditEvent>

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
    const former = settingsOf(album)
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
    const wanted: AlbumSettings = { ...former, ...given }
    const { opensAt, closesAt, coverId } = wanted
    if (opensAt && closesAt && closesAt <= opensAt) throw closesTooEarly()
    const isForChildren = wanted.forChildren === 'on'
    if (
      isForChildren &&
      (changes.listed === 'on' || changes.browsing === 'on' || changes.consentTick === 'off')
    )
      throw fixedForChildren()
    const isNewCover = coverId !== null && coverId !== former.coverId
    if (isNewCover && (await indexedPhotoIds(trx, album.id, [coverId])).size === 0) throw noSuchCover()
    const changed = await changeAlbum(trx, album.id, {
      is_listed: wanted.listed === 'on' && !isForChildren,
      browsing: wanted.browsing === 'on' && !isForChildren,
      consent_tick: wanted.consentTick === 'on' || isForChildren,
      scan_and_go: wanted.scanAndGo === 'on',
      for_children: isForChildren,
      opens_at: dateOf(opensAt),
      closes_at: dateOf(closesAt),
      faces_end_days: wanted.facesEndDays,
      accent: wanted.accent === 'marigold' ? null : wanted.accent,
      cover_photo_id: coverId,
    })
    const now = settingsOf(changed)
    for (const setting of Object.keys(EVENTS) as (keyof AlbumSettings)[])
      if (now[setting] !== former[setting])
        await recordEvent({ db: trx, keyring }, { event: EVENTS[setting](now), album, by })
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
