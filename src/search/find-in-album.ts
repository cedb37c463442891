import type { Album } from '../database/schema.ts'
import type { Keyring } from '../keyring.ts'
import type { Decoders, SelfieSender } from '../photos/decoders.ts'
import { type MatchDeps, type Person, type PhotosLike, photosLike } from './photos-like.ts'
import { normaliseSelfie } from './selfie.ts'
import { mergeAnswers, openTicket, sealTicket, ticketEnd } from './tickets.ts'

export interface FindDeps extends MatchDeps {
  decoders: Decoders
  keyring: Keyring
}

/** Who is searched for, as a visitor says it. */
export interface SearchedPerson {
  /** Of one person. At least one, or none with a ticket. */
  pictures: Buffer[]
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
}

/** The photos of the album that show a person. The pictures stay in memory.
 *  @throws AppError when a picture is no readable image, none shows a face, or the ticket is not valid. */
export async function findInAlbum(
  deps: FindDeps,
  album: Album,
  searched: SearchedPerson,
  caller: SelfieSender,
): Promise<FoundInAlbum> {
  const { confirmed = [], rejected = [] } = searched
  const former = searched.ticket === undefined ? undefined : openTicket(deps.keyring, album, searched.ticket)
  const answers = mergeAnswers(former?.person ?? { confirmed: [], rejected: [] }, { confirmed, rejected })
  const person: Person = former
    ? { selfies: [], templates: former.person.templates, ...answers }
    : { selfies: await selfiesOf(deps, searched, caller), ...answers }
  const searchedAt = new Date()
  const found = await photosLike(deps, [album.id], person)
  const { templates } = found
  return {
    ...found,
    remember:
      templates &&
      (() => {
        // A ticket that is made from another one ends with it, so no person is remembered for longer.
        const endsAt = former?.endsAt ?? ticketEnd()
        const ticket = sealTicket(deps.keyring, album, {
          person: { templates, ...answers },
          endsAt,
          searchedAt,
        })
        return { ticket, endsAt }
      }),
  }
}

async function selfiesOf(
  { decoders }: FindDeps,
  { pictures, faces = [] }: SearchedPerson,
  caller: SelfieSender,
) {
  const images = await Promise.all(pictures.map((picture) => normaliseSelfie(decoders, picture, caller)))
  return images.map((image, index) => ({ image, face: faces[index] }))
}
