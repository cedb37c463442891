import { AppError } from '../../errors.ts'
import { erasedLetter as texts } from '../../texts/english/letters.ts'
import { finishedErasure } from '../facts-queries.ts'
import type { LooseKind } from '../kinds.ts'

/** Tells the former owner of an album that nothing of it remains. It has no name: the service has forgotten it. */
export const erased: LooseKind = {
  async write({ db }, { letter }) {
    const erasure = await finishedErasure(db, letter.subject_id!)
    if (!erasure) throw new AppError('SERVICE_UNAVAILABLE', 'An album is still being erased')
    const { photos, faces, erased_at } = erasure
    return {
      subject: texts.subject,
      blocks: [
        texts.when(erased_at),
        {
          part: 'counts',
          rows: [
            [texts.photos, photos],
            [texts.faces, faces],
            [texts.remaining, 0],
          ],
        },
        { part: 'note', words: texts.last },
      ],
    }
  },
}
