import { letterLinks } from '../albums/letter-links.ts'
import { alertLinks } from '../alerts/alert-links.ts'
import { recordLetter } from '../alerts/alert-queries.ts'
import { beginNews } from '../alerts/begin-news.ts'
import { newsLetter } from '../mail/alert-letters.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'
import { sendToGuest } from './send-to-guest.ts'

/** Says to a guest how many new photos of them there are, if there are any. */
export const sendNews = defineHandler(queues.sendNews, {
  async handle(deps, { alertId }, { attempt }) {
    const begun = await beginNews(deps, alertId)
    if (!begun) return
    const { album, alert, address, photos } = begun
    const letterId = alert.letter_ids.at(-1)!
    const { keyring, siteUrl } = deps
    const { end, endUrl } = alertLinks(keyring, siteUrl, alert)
    const letter = {
      id: letterId,
      to: address,
      stopUrl: endUrl,
      ...newsLetter({
        albumName: album.display_name,
        photos,
        link: letterLinks(keyring, siteUrl, album).plain,
        endLink: end,
      }),
    }
    await sendToGuest(deps, alertId, letter, attempt)
    await recordLetter(deps.db, alertId, letterId)
  },
})
