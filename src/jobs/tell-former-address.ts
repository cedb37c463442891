import { findAddressChange, markNoticeSent } from '../albums/address-change-queries.ts'
import { isRefusedByOwner } from '../albums/begin-letter.ts'
import { stopLinks } from '../albums/letter-links.ts'
import { findAlbum } from '../albums/queries.ts'
import { openAddress } from '../albums/sealed-address.ts'
import { formerAddressLetter } from '../mail/address-letters.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'
import { sendOrGiveUp } from './send-or-give-up.ts'

/** Tells the former address of an album that letters go to another one now. A new owner key ends it. */
export const tellFormerAddress = defineHandler(queues.tellFormerAddress, {
  async handle(deps, { changeId }, { attempt }) {
    const { db, keyring, siteUrl } = deps
    const change = await findAddressChange(db, changeId)
    const album = change && (await findAlbum(db, { id: change.album_id }))
    if (!album || !change.former_address) return
    const email = openAddress(keyring, changeId, change.former_address)
    if (email && !(await isRefusedByOwner(db, keyring, album.id, email))) {
      const { stopUrl } = stopLinks(keyring, siteUrl, { id: album.id, email })
      const content = formerAddressLetter({ albumName: album.display_name })
      const letter = { id: change.notice_id, to: email, stopUrl, ...content }
      await sendOrGiveUp(deps, letter, { changeId }, attempt)
    }
    await markNoticeSent(db, changeId)
  },
})
