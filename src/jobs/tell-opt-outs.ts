import { letterLinks } from '../albums/letter-links.ts'
import type { Album, OptOut } from '../database/schema.ts'
import type { Letter } from '../mail/mailer.ts'
import { optOutsLetter } from '../mail/opt-outs-letter.ts'
import { beginOptOutsLetter } from '../opt-outs/begin-letter.ts'
import { markTold } from '../opt-outs/opt-out-queries.ts'
import { optOutsLink } from '../opt-outs/owner-links.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler, type JobDeps } from './define-handler.ts'
import { sendOrGiveUp } from './send-or-give-up.ts'

/** Tells the owner of opt-outs. */
export const tellOptOuts = defineHandler(queues.tellOptOuts, {
  async handle(deps, { albumId }, { attempt }) {
    const begun = await beginOptOutsLetter(deps, albumId)
    if (!begun) return
    const { album, letterId, optOuts } = begun
    await sendOrGiveUp(deps, compose(deps, album, letterId, optOuts), { albumId }, attempt)
    const ids = optOuts.map(({ id }) => id)
    const isStillTheirs = await markTold(deps.db, ids, letterId)
    // A new key or an erasure did not find it in the outbox yet.
    if (!isStillTheirs) await deps.outbox.remove([letterId])
  },
})

export const removeLetters = defineHandler(queues.removeLetters, {
  handle: ({ outbox }, { letters }) => outbox.remove(letters),
})

function compose({ keyring, siteUrl }: JobDeps, album: Album, id: string, optOuts: OptOut[]): Letter {
  const { stop, stopUrl } = letterLinks(keyring, siteUrl, album)
  const content = optOutsLetter({
    albumName: album.display_name,
    hidden: countsOf(optOuts),
    page: optOutsLink(keyring, siteUrl, album),
    toHide: optOuts.flatMap(({ photos_to_hide }) => photos_to_hide?.length ?? []),
    stopLink: album.address_confirmed_at ? undefined : stop,
  })
  return { id, to: album.email, stopUrl, ...content }
}

function countsOf(optOuts: OptOut[]): { guests: number; faces: number } {
  return { guests: optOuts.length, faces: optOuts.reduce((sum, { faces }) => sum + faces, 0) }
}
