import type {
  Combination,
  FoundPhoto,
  PossiblePhoto,
  SearchedSelfie,
  SearchOutput,
} from '../../../../src/contract/search.ts'
import type { KeptSearch, Remembered } from '../../../lib/persisted.ts'
import { pathOf } from '../../photos/photo-path.ts'

/** What the visitor has said about a photo that may show them. */
export interface Answer {
  photo: PossiblePhoto
  isMe: boolean
}

/** Selfies that have been sent, and what stands in their place since, so that none is sent twice. */
interface Sent {
  searchToken: string
  /** What the service saw in each. */
  seen: readonly SearchedSelfie[]
  /** The token is for later visits, too, so no tab keeps it. */
  isLong?: boolean
  /** It is from an earlier visit, and has the answers of that one. */
  isOfFormerVisit?: boolean
}

/** Somebody else who is searched for, too. */
export interface OtherPerson {
  /** Missing after a reload of the page. */
  selfie?: File | undefined
  /** Which face of the selfie is the person's. */
  face: number
  combine: Combination
  /** Missing until the selfie has been searched with. */
  sent?: Sent | undefined
}

/** Who a search looks for. */
export interface Person {
  /** All are of one person. The first one says of whom. None for a remembered visitor, or after a reload of the page. */
  selfies: readonly File[]
  /** About the first of the selfies. Missing until they have been searched with, and when nothing can stand in their
   *  place. */
  sent?: Sent | undefined
  /** The visitor has come back, and this browser had kept what finds them. */
  isRemembered?: boolean
  /** Whether this browser should keep what finds the person. */
  isToRemember?: boolean
  other?: OtherPerson | undefined
  /** Which face of each selfie is the person's: its place among the faces, the largest first. */
  faces: readonly number[]
  /** Oldest first. */
  answers: readonly Answer[]
}

/** A search and what it has found, with what the visitor has said since. */
export interface Found {
  /** The number of the search. When it is repeated in the background, the number stays the same. */
  search: number
  /** As the service was asked. */
  person: Person
  /** Oldest first. */
  answers: readonly Answer[]
  /** Those that have been loaded. */
  photos: readonly FoundPhoto[]
  /** The number of all. */
  total: number
  /** How many were added when the search was repeated. */
  added: number
  /** How many of the best matches the loaded pages are about; undefined when all are loaded. */
  next: number | undefined
  /** The visitor has to be asked about these. */
  possible: readonly PossiblePhoto[]
  /** What the visitor needs to know to opt out; undefined when nothing was surely found, or it takes a new selfie. */
  optOut: SearchOutput['optOut']
  /** Opting out takes a new selfie. */
  needsNewSelfie: boolean
  /** What the service saw in each selfie. */
  selfies: readonly SearchedSelfie[]
  /** What it saw in the selfie of the second person. */
  otherSelfie: SearchedSelfie | undefined
  /** What this browser should keep. */
  remembered: Remembered | undefined
  /** When the addresses of the photos were issued, ms since 1970. */
  at: number
  /** How many photos could be found when the search began. */
  among: number
}

/** Who is searched for with these selfies. When the first one is the same as before, it is the same person: the chosen
 *  faces and the answers are kept. When selfies were only added, the others are not sent again. */
export function personOf(selfies: readonly File[], former: Found | null): Person {
  if (!former || former.person.selfies[0] !== selfies[0])
    return { selfies, faces: selfies.map(() => 0), answers: [] }
  const { person, answers } = former
  const onlyAdds =
    selfies.length > person.selfies.length &&
    person.selfies.every((selfie, place) => selfie === selfies[place])
  const sent = onlyAdds ? person.sent : undefined
  return {
    ...person,
    sent,
    selfies,
    faces: selfies.map((selfie) => person.faces[person.selfies.indexOf(selfie)] ?? 0),
    answers: sent ? answers : [],
  }
}

/** Who is searched for when the visitor has chosen another face of a selfie. What was said about the former person does
 *  not count. */
export function personOfFace(person: Person, selfie: number, face: number): Person {
  return {
    ...person,
    sent: undefined,
    faces: person.faces.map((seen, place) => (place === selfie ? face : seen)),
    answers: [],
  }
}

/** Undefined when nothing stands in the place of the selfies, and for a visitor whom this browser remembers anyway. */
export function keptOf({ person, answers }: Found): KeptSearch | undefined {
  const { sent, other } = person
  if (!sent || sent.isLong) return undefined
  return {
    searchToken: sent.searchToken,
    answers,
    other: other?.sent && { searchToken: other.sent.searchToken, combine: other.combine },
  }
}

/** Who is searched for after a reload of the page. */
export function personOfKept({ searchToken, answers, other }: KeptSearch): Person {
  return {
    selfies: [],
    faces: [],
    answers,
    sent: { searchToken, seen: [] },
    other: other && {
      face: 0,
      combine: other.combine,
      sent: { searchToken: other.searchToken, seen: [] },
    },
  }
}

/** Whether a search is about selfies that have been searched with: perhaps for another face in them, and without the second
 *  person or with the same one. */
export function isKnown(person: Person, former: Person): boolean {
  const isOtherKnown = !person.other || person.other.selfie === former.other?.selfie
  return person.selfies === former.selfies && isOtherKnown
}

/** Who is searched for when this browser has kept what finds the visitor. */
export function personRemembered(searchToken: string): Person {
  const sent = { searchToken, seen: [], isLong: true, isOfFormerVisit: true }
  return { selfies: [], faces: [], answers: [], sent, isRemembered: true, isToRemember: true }
}

/** The ids of the faces that the visitor has answered with yes, or with no. */
export function facesAnswered(answers: readonly Answer[], withYes: boolean): string[] {
  return answers.filter(({ isMe }) => isMe === withYes).map(({ photo }) => photo.face.id)
}

/** What a search has found at first.
 *  @param circumstances see Found */
export function foundBy(
  person: Person,
  output: SearchOutput,
  circumstances: Pick<Found, 'search' | 'at' | 'among'>,
): Found {
  const { photos, totalMatches, possible } = output
  const next = nextOf(output, 0)
  const { answers, other } = person
  const selfies = [...(person.sent?.seen ?? []), ...output.selfies]
  const otherSelfies = output.otherSelfies?.length ? output.otherSelfies : (other?.sent?.seen ?? [])
  const open = possible.filter(({ face }) => !answers.some(({ photo }) => photo.face.id === face.id))
  return {
    ...circumstances,
    person: {
      ...person,
      sent: sentIn(output.searchToken, selfies, output.searchTokenEndsAt !== undefined),
      other: other && { ...other, sent: sentIn(output.otherSearchToken, otherSelfies) },
    },
    answers,
    photos,
    total: next === undefined ? photos.length : totalMatches,
    added: 0,
    next,
    possible: open,
    selfies,
    optOut: output.optOut,
    needsNewSelfie: output.optOutNeedsNewSelfie ?? false,
    otherSelfie: otherSelfies[0],
    remembered: rememberedIn(output),
  }
}

function sentIn(
  searchToken: string | undefined,
  seen: readonly SearchedSelfie[],
  isLong = false,
): Sent | undefined {
  return searchToken === undefined ? undefined : { searchToken, seen, ...(isLong && { isLong }) }
}

function rememberedIn({ searchToken, searchTokenEndsAt, photoIds }: SearchOutput): Remembered | undefined {
  return searchToken && searchTokenEndsAt && photoIds
    ? { searchToken, endsAt: searchTokenEndsAt, photoIds }
    : undefined
}

/** Where the page after this one begins. */
function nextOf({ photos, totalMatches }: SearchOutput, offset: number): number | undefined {
  const next = offset + Math.max(1, photos.length)
  return next < totalMatches ? next : undefined
}

/** What the visitor wants this browser to do from now on. */
export function withRemembering(found: Found, isToRemember: boolean): Found {
  return {
    ...found,
    person: { ...found.person, isToRemember },
    remembered: isToRemember ? found.remembered : undefined,
  }
}

/** To be searched for again with the selfies, because their tokens have ended with the password, and the answers with them. */
export function withoutTokens(found: Found): Found {
  const { person } = found
  // After a reload there are only tokens, and the service says that they have ended.
  if (person.selfies.length === 0) return found
  const other = person.other?.selfie ? { ...person.other, sent: undefined } : person.other
  return { ...found, answers: [], person: { ...person, sent: undefined, answers: [], other } }
}

/** Adds the photos of the next page. The album may have changed meanwhile, so a photo may come again. */
export function withNextPage(found: Found, page: SearchOutput): Found {
  const known = new Set(found.photos.map(pathOf))
  const photos = [...found.photos, ...page.photos.filter((photo) => !known.has(pathOf(photo)))]
  const next = nextOf(page, found.next ?? 0)
  return { ...found, photos, next, total: next === undefined ? photos.length : found.total }
}

/** A photo that the visitor is in is found. Another one is not asked about again. */
export function withAnswer(found: Found, answer: Answer): Found {
  const { photo, isMe } = answer
  const rest = without(found, photo)
  return {
    ...rest,
    added: 0,
    answers: [...found.answers, answer],
    photos: isMe ? [...rest.photos, photo] : rest.photos,
    total: isMe ? rest.total + 1 : rest.total,
  }
}

/** The visitor takes an answer back, and is asked again. */
export function withoutAnswer(found: Found, answer: Answer): Found {
  const rest = without(found, answer.photo)
  return {
    ...rest,
    added: 0,
    answers: found.answers.filter((other) => other !== answer),
    possible: [answer.photo, ...rest.possible],
  }
}

function without(found: Found, photo: PossiblePhoto): Found {
  const path = pathOf(photo)
  const photos = found.photos.filter((other) => pathOf(other) !== path)
  return {
    ...found,
    photos,
    total: found.total - (found.photos.length - photos.length),
    possible: found.possible.filter(({ face }) => face.id !== photo.face.id),
  }
}

/** Whether the visitor has confirmed a photo since the search, or has taken that back. What this browser keeps has to have every answer. */
export function isOutdated({ answers, person, remembered }: Found): boolean {
  const differs = (withYes: boolean) =>
    String(facesAnswered(answers, withYes)) !== String(facesAnswered(person.answers, withYes))
  return differs(true) || (person.isToRemember === true && (!remembered || differs(false)))
}

/** Whether another page has to be loaded before a repeated search can replace the former one. */
export function isShorter(fresh: Found, former: Found): boolean {
  const added = Math.max(0, fresh.total - former.total)
  return fresh.next !== undefined && fresh.photos.length < former.photos.length + added
}

/** The repeated search replaces the former one. The photos keep their places, and new ones are at the end. What the
 *  visitor has said while it ran counts. */
export function renewed(former: Found, fresh: Found): Found {
  const takenBack = fresh.answers.filter((answer) => !former.answers.includes(answer))
  const given = former.answers.filter((answer) => !fresh.answers.includes(answer))
  // The visitor may have pressed "Remember me" or "Forget me" meanwhile.
  const wanted = withRemembering(fresh, former.person.isToRemember ?? false)
  const ordered = { ...wanted, photos: inOrderOf(former.photos, fresh.photos) }
  const now = given.reduce(withAnswer, takenBack.reduce(withoutAnswer, ordered))
  return { ...now, added: Math.max(0, now.total - former.total) }
}

function inOrderOf(former: readonly FoundPhoto[], fresh: readonly FoundPhoto[]): FoundPhoto[] {
  const places = new Map(former.map((photo, place) => [pathOf(photo), place]))
  const placeOf = (photo: FoundPhoto) => places.get(pathOf(photo)) ?? former.length
  return [...fresh].sort((one, other) => placeOf(one) - placeOf(other))
}
