import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import type { AlbumSettings } from '../contract/album-settings.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { indexedPhotoIds } from '../photos/queries.ts'
import { type OwnedAlbum, withOwnedAlbum } from './access.ts'
import { changeAlbum } from './queries.ts'

export function settingsOf(album: Album): AlbumSettings {
  return {
    listed: onOff(album.is_listed),
    browsing: onOff(album.browsing),
    consentTick: onOff(album.consent_tick),
    forChildren: onOff(album.for_children),
    accent: album.accent ?? 'marigold',
    coverId: album.cover_photo_id,
  }
}

export const fixedForChildren = () =>
  new AppError(
    'CONFLICT',
    'While the album is for children, it is not in the list, guests do not see all photos, and they tick that they agree.',
    { reason: 'for_children' },
  )
export const noSuchCover = () =>
  new AppError('NOT_FOUND', 'This photo cannot be the cover, because guests do not see it.')

const onOff = (isOn: boolean) => (isOn ? 'on' : 'off')

const SWITCHES = ['listed', 'browsing', 'consentTick', 'forChildren'] as const
/** As the audit log names them. */
const NAMES = {
  listed: 'listing',
  browsing: 'browsing',
  consentTick: 'consent tick',
  forChildren: 'for children',
} as const

/** Changes the settings that are given. The audit log gets an event for each that was different.
 *  @returns the settings as they are now
 *  @throws AppError CONFLICT for a setting that an album for children does not have, NOT_FOUND for a cover that guests do not see */
export async function changeSettings(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  owned: OwnedAlbum,
  changes: { [Name in keyof AlbumSettings]?: AlbumSettings[Name] | undefined },
  by: Actor,
): Promise<AlbumSettings> {
  return await withOwnedAlbum(db, owned, async (trx, album) => {
    const former = settingsOf(album)
    const { listed = former.listed, browsing = former.browsing, consentTick = former.consentTick } = changes
    const { forChildren = former.forChildren, accent = former.accent, coverId = former.coverId } = changes
    const isFixed = forChildren === 'on'
    if (isFixed && (changes.listed === 'on' || changes.browsing === 'on' || changes.consentTick === 'off'))
      throw fixedForChildren()
    const isNewCover = coverId !== null && coverId !== former.coverId
    if (isNewCover && (await indexedPhotoIds(trx, album.id, [coverId])).size === 0) throw noSuchCover()
    const changed = await changeAlbum(trx, album.id, {
      is_listed: listed === 'on' && !isFixed,
      browsing: browsing === 'on' && !isFixed,
      consent_tick: consentTick === 'on' || isFixed,
      for_children: isFixed,
      accent: accent === 'marigold' ? null : accent,
      cover_photo_id: coverId,
    })
    const now = settingsOf(changed)
    for (const setting of SWITCHES)
      if (now[setting] !== former[setting]) {
        const event = `${NAMES[setting]} turned ${now[setting]}` as const
        await recordEvent({ db: trx, keyring }, { event, album, by })
      }
    if (now.accent !== former.accent)
      await recordEvent({ db: trx, keyring }, { event: 'accent changed', album, by })
    if (now.coverId !== former.coverId)
      await recordEvent({ db: trx, keyring }, { event: 'cover changed', album, by })
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
