import type { SearchFields } from '../contract/search.ts'
import { AppError } from '../errors.ts'
import type { SearchedPerson } from '../search/find-in-album.ts'
import type { AlbumQuery } from '../search/search-album.ts'
import { isSearchTicket } from '../search/search-ticket.ts'
import type { SelfieForm } from './selfie-form.ts'

/** What a search form asks for.
 *  @throws AppError when it names no person, or one person in two ways */
export function queryOf(
  fields: SearchFields,
  { photo, otherPhoto }: SelfieForm['selfies'],
  sessionId: string,
): AlbumQuery {
  const { limit, remember, combine, faces, confirmed, rejected } = fields
  const person = personOf({ pictures: photo, ticket: fields.ticket, faces, confirmed, rejected })
  if (!person) throw noSelfieChosen()
  const other = personOf({ pictures: otherPhoto, ticket: fields.otherTicket, faces: fields.otherFaces })
  return { person, other, combine, sessionId, remember, limit }
}

/** Undefined when nobody is named. */
function personOf({ pictures, ticket, ...person }: SearchedPerson): SearchedPerson | undefined {
  const isSent = pictures.some(({ length }) => length > 0)
  if (isSent && ticket && !isSearchTicket(ticket)) throw selfieAndTicket()
  if (isSent) return { ...person, pictures, ticket: ticket || undefined }
  return ticket ? { ...person, pictures: [], ticket } : undefined
}

export const noSelfieChosen = () => new AppError('BAD_REQUEST', 'Please choose a selfie')
export const selfieAndTicket = () =>
  new AppError('BAD_REQUEST', 'Please send the photos of a person or a ticket, not both')
