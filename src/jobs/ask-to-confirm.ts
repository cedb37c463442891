import { REMEMBERED } from '../albums/begin-letter.ts'
import { findAlbum } from '../albums/queries.ts'
import { alertLinks } from '../alerts/alert-links.ts'
import { findAlert } from '../alerts/alert-queries.ts'
import { removeAlerts } from '../alerts/remove-alerts.ts'
import { openGuest } from '../alerts/sealed-alert.ts'
import { confirmLetter } from '../mail/confirm-letter.ts'
import { isRefusedAddress } from '../mail/recipient-queries.ts'
import { guestAddressHashes } from '../mail/recipients.ts'
import { queues } from '../queues/queues.ts'
import { alertLetters } from '../texts/english.ts'
import { defineHandler } from './define-handler.ts'
import { sendToGuest } from './send-to-guest.ts'

/** Asks a guest to confirm the address to which letters about new photos would go. */
export const askToConfirm = defineHandler(queues.askToConfirm, {
  async handle(deps, { alertId }, { attempt }) {
    const { db, keyring, siteUrl } = deps
    const alert = await findAlert(db, alertId)
    const album = alert && (await findAlbum(db, { id: alert.album_id }))
    if (!album || alert.confirmed_at) return
    const guest = openGuest(keyring, alert)
    if (!guest) return
    const hashes = guestAddressHashes(keyring, album.id, guest.address)
    // "This was not me" was pressed in another letter while this one waited.
    if (await isRefusedAddress(db, hashes, REMEMBERED.refusalsSeconds))
      return await removeAlerts(deps, [alert])
    const { confirm, refuse, refuseUrl } = alertLinks(keyring, siteUrl, alert)
    const letter = {
      id: alert.letter_ids.at(-1)!,
      to: guest.address,
      stopUrl: refuseUrl,
      ...confirmLetter(alertLetters, {
        albumName: album.display_name,
        confirmLink: confirm,
        stopLink: refuse,
      }),
    }
    await sendToGuest(deps, alertId, letter, attempt)
  },
})
