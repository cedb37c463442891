import { decryptPassword } from '../albums/password.ts'
import { countPhotosWithoutFace, skippedFiles } from '../albums/queries.ts'
import { findRoundForLetter, markLetterSent } from '../albums/round-queries.ts'
import { AppError } from '../errors.ts'
import { albumReadyLetter } from '../mail/letters.ts'
import { queues } from '../queues/queues.ts'
import { defineHandler } from './define-handler.ts'

/** Tells the owner that an upload round is complete. */
export const sendLetter = defineHandler(queues.sendLetter, {
  async handle({ db, keyring, mailer, siteUrl, log }, { roundId }) {
    const album = await findRoundForLetter(db, roundId)
    if (!album || album.letter_sent_at) return
    const letter = albumReadyLetter({
      albumName: album.display_name,
      link: `${siteUrl}/album/${album.slug}`,
      password: decryptPassword(keyring, album),
      photos: album.photos_stored,
      faces: album.faces_found,
      photosWithoutFace: await countPhotosWithoutFace(db, album.id),
      skipped: await skippedFiles(db, album.id, { roundId }),
    })
    try {
      await mailer.send({ id: roundId, to: album.email, ...letter })
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'UNPROCESSABLE_CONTENT')) throw error
      // The owner's address is wrong or no longer exists, so every further try would be refused, too.
      log.warn({ albumId: album.id, roundId, err: error }, 'A letter cannot be delivered and is given up')
    }
    await markLetterSent(db, roundId)
  },
})
