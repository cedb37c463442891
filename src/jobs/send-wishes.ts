import { beginWishesLetter } from '../albums/begin-wishes-letter.ts'
import { letterLinks } from '../albums/letter-links.ts'
import { markWishesTold } from '../albums/take-out-queries.ts'
import { wishLinks } from '../albums/wish-links.ts'
import type { Album, TakeOut } from '../database/schema.ts'
import type { Letter } from '../mail/mailer.ts'
import { wishesLetter } from '../mail/wishes-letter.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler, type JobDeps } from './define-handler.ts'
import { sendOrGiveUp } from './send-or-give-up.ts'

/** Tells the owner what guests have asked for. */
export const sendWishes = defineHandler(queues.sendWishes, {
  async handle(deps, { albumId }) {
    const begun = await beginWishesLetter(deps, albumId)
    if (!begun) return
    const { album, letterId, wishes } = begun
    await sendOrGiveUp(deps, compose(deps, album, letterId, wishes), { albumId })
    await markWishesTold(
      deps.db,
      wishes.map(({ id }) => id),
    )
  },
})

function compose({ keyring, siteUrl }: JobDeps, album: Album, id: string, wishes: TakeOut[]): Letter {
  const { stop, stopUrl } = letterLinks(keyring, siteUrl, album)
  const content = wishesLetter({
    albumName: album.display_name,
    guests: wishes.length,
    faces: wishes.reduce((sum, { faces }) => sum + faces, 0),
    toHide: wishes.flatMap(({ id: wish, photos_to_hide }) =>
      photos_to_hide ? [{ photos: photos_to_hide.length, ...wishLinks(keyring, siteUrl, album, wish) }] : [],
    ),
    stopLink: album.address_confirmed_at ? undefined : stop,
  })
  return { id, to: album.email, stopUrl, ...content }
}
