import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import type { AlbumSettings } from '../contract/album-settings.ts'
import type { Db } from '../database/client.ts'
import type { Album, AuditEvent } from '../database/schema.ts'
import { type OwnedAlbum, withOwnedAlbum } from './access.ts'
import { changeAlbum } from './queries.ts'

export function settingsOf({ browsing, consent_tick }: Album): AlbumSettings {
  return { browsing: browsing ? 'on' : 'off', consentTick: consent_tick ? 'on' : 'off' }
}

/** Changes the settings that are given. The audit log gets an event for each that was different.
 *  @returns the settings as they are now */
export async function changeSettings(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  owned: OwnedAlbum,
  changes: { [Name in keyof AlbumSettings]?: AlbumSettings[Name] | undefined },
  by: Actor,
): Promise<AlbumSettings> {
  return await withOwnedAlbum(db, owned, async (trx, album) => {
    const former = settingsOf(album)
    const { browsing = former.browsing, consentTick = former.consentTick } = changes
    await changeAlbum(trx, album.id, { browsing: browsing === 'on', consent_tick: consentTick === 'on' })
    const events: AuditEvent[] = []
    if (browsing !== former.browsing) events.push(`browsing turned ${browsing}`)
    if (consentTick !== former.consentTick) events.push(`consent tick turned ${consentTick}`)
    for (const event of events) await recordEvent({ db: trx, keyring }, { event, album, by })
    return { browsing, consentTick }
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

/** Takes an album off the public list, or puts it on the list again. */
export async function changeListing(db: Db, owned: OwnedAlbum, isListed: boolean): Promise<void> {
  await withOwnedAlbum(db, owned, async (trx) => {
    await changeAlbum(trx, owned.id, { is_listed: isListed })
  })
}
