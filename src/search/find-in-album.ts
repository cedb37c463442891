import { SEARCH_MAX_SELFIES } from '../contract/limits.ts'
import type { Keyring } from '../keyring.ts'
import type { Asked } from './asked-faces.ts'
import { type MatchDeps, type Person, type PhotosLike, photosLike } from './photos-like.ts'
import { isSearchTicket, openSearch, type SearchTicket, sealSearch } from './search-ticket.ts'
import { tooManySelfies } from './selfie.ts'
import { mergeAnswers, openTicket, sealTicket, type Ticket, ticketEnd } from './tickets.ts'

export interface FindDeps extends MatchDeps {
  keyring: Keyring
}

/** Who is searched for, as a visitor says it. */
export interface SearchedPerson {
  /** Of one person, as normaliseSelfie gives them. At least one, or none with a ticket. */
  pictures: Buffer[]
  /** One that remembers the person, or the one of a search shortly before. Only the latter may have pictures beside it. */
  ticket?: string | undefined
  /** Which face of each picture is the person. */
  faces?: number[] | undefined
  /** Ids of faces. */
  confirmed?: string[] | undefined
  rejected?: string[] | undefined
}

export interface FoundInAlbum extends PhotosLike {
  /** Seals what finds this person again. Undefined when nothing can. */
  remember: (() => { ticket: string; endsAt: Date }) | undefined
  /** The ticket with which this session repeats the search without its selfies. Undefined when nothing can, and for a person
   *  who is remembered. */
  searchTicket: string | undefined
  /** It is a search by selfies that this session has sent, now or in the hour before. */
  isBySelfies: boolean
}

type Former = { remembered?: Ticket; search?: SearchTicket }

/** The photos of the album that show a person. The pictures stay in memory.
 *  @throws AppError when no picture shows a face, there are too many, or the ticket is not valid. */
export async function findInAlbum(
  deps: FindDeps,
  asked: Asked,
  searched: SearchedPerson,
): Promise<FoundInAlbum> {
  const { pictures, confirmed = [], rejected = [] } = searched
  const { remembered, search } = formerOf(deps.keyring, asked, searched.ticket)
  const selfies = pictures.length + (search?.selfies ?? 0)
  if (selfies > SEARCH_MAX_SELFIES) throw tooManySelfies(SEARCH_MAX_SELFIES)
  const said = remembered?.person ?? { confirmed: [], rejected: [] }
  const answers = mergeAnswers(said, { confirmed, rejected })
  const person: Person = {
    selfies: selfiesOf(searched),
    templates: remembered?.person.templates,
    evidence: search?.evidence,
    ...answers,
  }
  const searchedAt = new Date()
  const found = await photosLike(deps, [asked.album.id], person)
  const { templates, evidence } = found
  return {
    ...found,
    isBySelfies: !remembered,
    searchTicket: evidence && sealSearch(deps.keyring, asked, { evidence, selfies }),
    remember:
      templates &&
      (() => {
        // A ticket that is made from another one ends with it, so no person is remembered for longer.
        const endsAt = remembered?.endsAt ?? ticketEnd()
        const ticket = sealTicket(deps.keyring, asked.album, {
          person: { templates, ...answers },
          endsAt,
          searchedAt,
        })
        return { ticket, endsAt }
      }),
  }
}

function formerOf(keyring: Keyring, asked: Asked, ticket: string | undefined): Former {
  if (ticket === undefined) return {}
  return isSearchTicket(ticket)
    ? { search: openSearch(keyring, asked, ticket) }
    : { remembered: openTicket(keyring, asked.album, ticket) }
}

function selfiesOf({ pictures, faces = [] }: SearchedPerson): Person['selfies'] {
  return pictures.map((image, index) => ({ image, face: faces[index] }))
}
