import { alertLetters } from '../../texts/english/letters.ts'
import { type Kind, REQUESTS } from '../kind.ts'
import { alertLinks } from '../links.ts'
import { compose } from './confirm-address.ts'

/** Asks a guest to confirm the address to which letters about new photos would go. */
export const confirmNews: Kind = {
  reader: 'guest',
  limits: REQUESTS,
  async write({ keyring, siteUrl }, { letter, album, to }) {
    const { confirm, refuse, refuseUrl } = alertLinks(keyring, siteUrl, letter, to)
    const data = { albumName: album.display_name, confirmLink: confirm, stopLink: refuse }
    return { ...compose(alertLetters, data), stopUrl: refuseUrl }
  },
}
