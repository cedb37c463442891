import { findAddressChange, findWaitingChange } from '../albums/address-change-queries.ts'
import { addressLink } from '../albums/address-links.ts'
import { isRefusedByOwner } from '../albums/begin-letter.ts'
import { stopLinks } from '../albums/letter-links.ts'
import { findAlbum } from '../albums/queries.ts'
import { openAddress } from '../albums/sealed-address.ts'
import { confirmLetter } from '../mail/confirm-letter.ts'
import { queues } from '../queues/queues.ts'
import { addressLetters } from '../texts/english.ts'
import { defineHandler } from './define-handler.ts'
import { sendOrGiveUp } from './send-or-give-up.ts'

/** Asks a new address of an album to confirm that letters may go to it. The owner does not learn whether its reader has
 *  refused them. */
export const confirmNewAddress = defineHandler(queues.confirmNewAddress, {
  async handle(deps, { changeId }, { attempt }) {
    const { db, keyring, siteUrl } = deps
    const albumId = (await findAddressChange(db, changeId))?.album_id
    const album = albumId && (await findAlbum(db, { id: albumId }))
    const change = album && (await findWaitingChange(db, album.id, changeId))
    const email = change && openAddress(keyring, changeId, change.new_address)
    if (!email || (await isRefusedByOwner(db, keyring, album.id, email))) return
    const { stop, stopUrl } = stopLinks(keyring, siteUrl, { id: album.id, email })
    const content = confirmLetter(addressLetters, {
      albumName: album.display_name,
      confirmLink: addressLink(keyring, siteUrl, album, changeId),
      stopLink: stop,
    })
    await sendOrGiveUp(deps, { id: changeId, to: email, stopUrl, ...content }, { changeId }, attempt)
  },
})
