import { beginLetter } from '../albums/begin-letter.ts'
import { letterLinks } from '../albums/letter-links.ts'
import { markLetterSent, roundsOfLetter, workOfLetter } from '../albums/letter-queries.ts'
import { decryptPassword } from '../albums/password.ts'
import { countPhotosWithoutFace, countSkippedFiles, skippedFiles } from '../albums/queries.ts'
import type { Album, UploadRound } from '../database/schema.ts'
import type { Letter } from '../mail/mailer.ts'
import { albumReadyLetter } from '../mail/ready-letter.ts'
import { unconfirmedLetter } from '../mail/unconfirmed-letter.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler, type JobDeps } from './define-handler.ts'
import { sendOrGiveUp } from './send-or-give-up.ts'

/** Tells the owner that an upload round is complete. */
export const sendLetter = defineHandler(queues.sendLetter, {
  async handle(deps, { roundId }, { attempt }) {
    const begun = await beginLetter(deps, roundId)
    if (!begun) return
    const { round, album } = begun
    await sendOrGiveUp(deps, await compose(deps, album, round), { albumId: album.id, roundId }, attempt)
    await markLetterSent(deps.db, round)
  },
})

async function compose({ db, keyring, siteUrl }: JobDeps, album: Album, round: UploadRound): Promise<Letter> {
  const links = letterLinks(keyring, siteUrl, album)
  const facts = {
    albumName: album.display_name,
    link: links.plain,
    password: decryptPassword(keyring, album),
    photos: album.photos_stored,
    faces: album.faces_found,
    photosWithoutFace: await countPhotosWithoutFace(db, album.id),
    work: await workOfLetter(db, round),
  }
  const only = { roundIds: await roundsOfLetter(db, round) }
  const content = album.address_confirmed_at
    ? albumReadyLetter({
        ...facts,
        ownerLink: links.owner,
        skipped: await skippedFiles(db, album.id, only),
      })
    : unconfirmedLetter({
        ...facts,
        ownLink: links.open,
        stopLink: links.stop,
        skippedFiles: await countSkippedFiles(db, album.id, only),
      })
  return { id: round.id, to: album.email, stopUrl: links.stopUrl, ...content }
}
