import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import type { AlbumSettings } from '../contract/album-settings.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { type OwnedAlbum, withOwnedAlbum } from './access.ts'
import { changeAlbum } from './queries.ts'

export function settingsOf(album: Album): AlbumSettings {
  return {
    listed: onOff(album.is_listed),
    browsing: onOff(album.browsing),
    consentTick: onOff(album.consent_tick),
    scanAndGo: onOff(album.scan_and_go),
    opensAt: album.opens_at?.toISOString() ?? null,
    closesAt: album.closes_at?.toISOString() ?? null,
    facesEndDays: album.faces_end_days,
  }
}

const dateOf = (time: string | null) => (time === null ? null : new Date(time))
const onOff = (isOn: boolean) => (isOn ? 'on' : 'off')

const SWITCHES = ['listed', 'browsing', 'consentTick', 'scanAndGo'] as const
/** As the audit log names them. */
const NAMES = {
  listed: 'listing',
  browsing: 'browsing',
  consentTick: 'consent tick',
  scanAndGo: 'scan and go',
} as const

const EVENTS = {
  opensAt: 'opening time changed',
  closesAt: 'closing time changed',
  facesEndDays: 'end of faces changed',
} as const

export const closesTooEarly = () => {
  const message = 'The album must close after it opens'
  return new AppError('BAD_REQUEST', message, { issues: [{ path: ['closesAt'], message }] })
}

/** Changes the settings that are given. The audit log gets an event for each that was different.
 *  @returns the settings as they are now
 *  @throws AppError BAD_REQUEST when the album would close before it opens */
export async function changeSettings(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  owned: OwnedAlbum,
  changes: { [Name in keyof AlbumSettings]?: AlbumSettings[Name] | undefined },
  by: Actor,
): Promise<AlbumSettings> {
  return await withOwnedAlbum(db, owned, async (trx, album) => {
    const former = settingsOf(album)
    const { listed = former.listed, browsing = former.browsing, consentTick = former.consentTick } = changes
    const { scanAndGo = former.scanAndGo } = changes
    const { opensAt = former.opensAt, closesAt = former.closesAt } = changes
    const { facesEndDays = former.facesEndDays } = changes
    if (opensAt && closesAt && closesAt <= opensAt) throw closesTooEarly()
    const changed = await changeAlbum(trx, album.id, {
      is_listed: listed === 'on',
      browsing: browsing === 'on',
      consent_tick: consentTick === 'on',
      scan_and_go: scanAndGo === 'on',
      opens_at: dateOf(opensAt),
      closes_at: dateOf(closesAt),
      faces_end_days: facesEndDays,
    })
    const now = settingsOf(changed)
    for (const setting of SWITCHES)
      if (now[setting] !== former[setting]) {
        const event = `${NAMES[setting]} turned ${now[setting]}` as const
        await recordEvent({ db: trx, keyring }, { event, album, by })
      }
    for (const setting of ['opensAt', 'closesAt', 'facesEndDays'] as const)
      if (now[setting] !== former[setting])
        await recordEvent({ db: trx, keyring }, { event: EVENTS[setting], album, by })
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
