import type { SearchFields } from '../contract/search.ts'
import { AppError } from '../errors.ts'
import type { SearchedPerson } from '../search/find-in-album.ts'
import type { AlbumQuery } from '../search/search-album.ts'
import type { SelfieForm } from './selfie-form.ts'

/** What a search form asks for.
 *  @throws AppError when it names no person */
export function queryOf(
  fields: SearchFields,
  { photo, otherPhoto }: SelfieForm['selfies'],
  sessionId: string,
): AlbumQuery {
  const { limit, offset, remember, combine, faces, confirmed, rejected } = fields
  const person = personOf({ pictures: photo, token: fields.searchToken, faces, confirmed, rejected })
  if (!person) throw noSelfieChosen()
  const other = personOf({ pictures: otherPhoto, token: fields.otherSearchToken, faces: fields.otherFaces })
  return { person, other, combine, sessionId, remember, limit, offset }
}

/** Undefined when nobody is named. */
function personOf({ pictures, token, ...person }: SearchedPerson): SearchedPerson | undefined {
  const isSent = pictures.some(({ length }) => length > 0)
  if (!isSent && !token) return undefined
  return { ...person, pictures: isSent ? pictures : [], token: token || undefined }
}

const noSelfieChosen = () => new AppError('BAD_REQUEST', 'Please choose a selfie')
