import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AlbumSettings } from '../contract/album-settings.ts'
import { changeAlbum } from '../database/change-album.ts'
import type { Db } from '../database/client.ts'
import type { Album, AuditEvent } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'
import { albumNotFound } from './access.ts'
import { lockAlbum, setSettings } from './queries.ts'

export function settingsOf({ browsing, consent_tick }: Album): AlbumSettings {
  return { browsing: browsing ? 'on' : 'off', consentTick: consent_tick ? 'on' : 'off' }
}

/** Changes the settings that are given. The audit log gets an event for each that was different.
 *  @returns the settings as they are now
 *  @throws AppError NOT_FOUND when the album has been erased */
export async function changeSettings(
  { db, keyring }: { db: Db; keyring: Keyring },
  albumId: string,
  changes: { [Name in keyof AlbumSettings]?: AlbumSettings[Name] | undefined },
  by: Actor,
): Promise<AlbumSettings> {
  return await changeAlbum(db, { albumId, network: by.address }, async (trx) => {
    const album = await lockAlbum(trx, albumId)
    if (!album) throw albumNotFound()
    const former = settingsOf(album)
    const { browsing = former.browsing, consentTick = former.consentTick } = changes
    await setSettings(trx, albumId, { browsing: browsing === 'on', consent_tick: consentTick === 'on' })
    const events: AuditEvent[] = []
    if (browsing !== former.browsing) events.push(`browsing turned ${browsing}`)
    if (consentTick !== former.consentTick) events.push(`consent tick turned ${consentTick}`)
    for (const event of events) await recordEvent({ db: trx, keyring }, { event, album, by })
    return { browsing, consentTick }
  })
}
