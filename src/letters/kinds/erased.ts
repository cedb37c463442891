import type { Erasure } from '../../database/schema.ts'
import { AppError } from '../../errors.ts'
import { letterParts, erasedLetter as texts } from '../../texts/english/letters.ts'
import { finishedErasure } from '../facts-queries.ts'
import type { LooseKind } from '../kind.ts'
import { type Content, layOut, plain } from '../layout.ts'

/** Tells the former owner of an album that nothing of it remains. It has no name: the service has forgotten it. */
export const erased: LooseKind = {
  async write({ db }, { letter }) {
    const erasure = await finishedErasure(db, letter.subject_id!)
    if (!erasure) throw new AppError('SERVICE_UNAVAILABLE', 'An album is still being erased')
    return compose(erasure)
  },
}

export function compose({
  photos,
  faces,
  erased_at,
}: Pick<Erasure, 'photos' | 'faces' | 'erased_at'>): Content {
  const rows: [string, string][] = [
    [texts.photos, letterParts.number(photos)],
    [texts.faces, letterParts.number(faces)],
    [texts.remaining, letterParts.number(0)],
  ]
  return layOut(texts.subject, plain(texts.subject), [
    { part: 'paragraph', words: plain(texts.when(erased_at)) },
    { part: 'counts', rows },
    { part: 'note', words: plain(texts.last) },
  ])
}
