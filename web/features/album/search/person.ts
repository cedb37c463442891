/** Who a search of an album looks for. */
import type { Combination, PossiblePhoto, SearchedSelfie } from '../../../../src/contract/search.ts'
import type { KeptSearch } from '../../../lib/persisted.ts'

/** What the visitor has said about a photo that may show them. */
export interface Answer {
  photo: PossiblePhoto
  isMe: boolean
}

/** What is known of selfies that have been searched with. */
interface Sent {
  /** Stands in place of the selfies from then on, so that none is sent twice. Missing until they have been searched with, and
   *  when nothing can stand in their place. */
  searchToken?: string | undefined
  /** What the service saw in each of the selfies, in their order. */
  seen: readonly SearchedSelfie[]
}

/** Somebody else who is searched for, too. */
export interface OtherPerson extends Sent {
  /** Missing after a reload of the page. */
  selfie?: File | undefined
  /** Which face of the selfie is the person's. */
  face: number
  combine: Combination
}

export interface Person extends Sent {
  /** All are of one person. The first one says of whom. None for a remembered visitor, or after a reload of the page. */
  selfies: readonly File[]
  /** Which face of each selfie is the person's: its place among the faces, the largest first. */
  faces: readonly number[]
  /** The token is from an earlier visit, and has the answers of that one. */
  isOfFormerVisit?: boolean
  /** The visitor has come back, and this browser had kept what finds them. */
  isRemembered?: boolean
  /** Whether this browser should keep what finds the person. */
  isToRemember?: boolean
  other?: OtherPerson | undefined
  /** Oldest first. */
  answers: readonly Answer[]
}

/** Nothing stands in place of the selfies. */
const NOT_SENT = { searchToken: undefined, seen: [], answers: [] }

/** Who is searched for with these selfies. */
export const personOf = (selfies: readonly File[]): Person => ({
  ...NOT_SENT,
  selfies,
  faces: selfies.map(() => 0),
})

/** Who is searched for when the visitor has chosen another face of a selfie. What was said about the former person does
 *  not count. */
export function personOfFace(person: Person, selfie: number, face: number): Person {
  const faces = person.faces.map((seen, place) => (place === selfie ? face : seen))
  return { ...person, ...NOT_SENT, faces }
}

/** Who is searched for when this browser has kept what finds the visitor. */
export function personRemembered(searchToken: string): Person {
  const visit = { isOfFormerVisit: true, isRemembered: true, isToRemember: true }
  return { ...NOT_SENT, ...visit, searchToken, selfies: [], faces: [] }
}

/** Who is searched for after a reload of the page. */
export function personOfKept({ searchToken, answers, other }: KeptSearch): Person {
  const ofOther = other && { ...other, face: 0, seen: [] }
  return { selfies: [], faces: [], seen: [], searchToken, answers, other: ofOther }
}

/** To be searched for again with the selfies, because the tokens have ended with the password, and the answers with them. After
 *  a reload there are only tokens, and the service says that they have ended. */
export function withoutTokens(person: Person): Person {
  if (person.selfies.length === 0) return person
  const { other } = person
  const ofOther = other?.selfie ? { ...other, searchToken: undefined } : other
  return { ...person, searchToken: undefined, answers: [], other: ofOther }
}

/** The ids of the faces that the visitor has answered with yes, or with no. */
export function facesAnswered(answers: readonly Answer[], withYes: boolean): string[] {
  return answers.filter(({ isMe }) => isMe === withYes).map(({ photo }) => photo.face.id)
}
