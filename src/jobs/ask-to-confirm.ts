import { findAlbum } from '../albums/queries.ts'
import { alertLinks } from '../alerts/alert-links.ts'
import { findAlert } from '../alerts/alert-queries.ts'
import { openGuest } from '../alerts/sealed-alert.ts'
import { confirmAlertLetter } from '../mail/alert-letters.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'
import { sendToGuest } from './send-to-guest.ts'

/** Asks a guest to confirm the address to which letters about new photos would go. */
export const askToConfirm = defineHandler(queues.askToConfirm, {
  async handle(deps, { alertId }) {
    const { db, keyring, siteUrl } = deps
    const alert = await findAlert(db, alertId)
    const album = alert && (await findAlbum(db, { id: alert.album_id }))
    if (!album || alert.confirmed_at) return
    const guest = openGuest(keyring, alert)
    if (!guest) return
    const { confirm, refuse, refuseUrl } = alertLinks(keyring, siteUrl, alertId)
    await sendToGuest(deps, alertId, {
      id: alert.letter_ids.at(-1)!,
      to: guest.address,
      stopUrl: refuseUrl,
      ...confirmAlertLetter({ albumName: album.display_name, confirmLink: confirm, refuseLink: refuse }),
    })
  },
})
