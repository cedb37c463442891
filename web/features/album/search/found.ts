/** What a search of an album has found, and what becomes of it. */
import type { FoundPhoto, PossiblePhoto, SearchOutput } from '../../../../src/contract/search.ts'
import type { Remembered } from '../../../lib/persisted.ts'
import { pathOf } from '../../photos/photo-path.ts'
import { type Answer, facesAnswered, type Person } from './person.ts'

export interface Found extends Pick<SearchOutput, 'optOut' | 'optOutNeedsNewSelfie'> {
  /** With what the visitor has said since. */
  person: Person
  /** The answers with which was searched, or tried to search. */
  asked: readonly Answer[]
  photos: readonly FoundPhoto[]
  /** How many were added when the search was repeated. */
  added: number
  /** The visitor has to be asked about these. */
  possible: readonly PossiblePhoto[]
  /** What this browser should keep. */
  remembered: Remembered | undefined
  /** When the addresses of the photos were issued, ms since 1970. */
  at: number
  /** How many photos could be found when the search began. */
  among: number
}

/** What a search has found at first. */
export function foundBy(
  person: Person,
  output: SearchOutput,
  circumstances: Pick<Found, 'at' | 'among'>,
): Found {
  const { photos, searchToken, searchTokenEndsAt, otherSelfies, photoIds } = output
  const { answers, other } = person
  return {
    ...circumstances,
    person: {
      ...person,
      searchToken,
      hasLongToken: searchTokenEndsAt !== undefined,
      isOfFormerVisit: false,
      seen: [...(person.searchToken ? person.seen : []), ...output.selfies],
      other: other && {
        ...other,
        searchToken: output.otherSearchToken,
        seen: otherSelfies?.length ? otherSelfies : other.seen,
      },
    },
    asked: answers,
    photos,
    added: 0,
    possible: output.possible.filter(({ face }) => !answers.some(({ photo }) => photo.face.id === face.id)),
    optOut: output.optOut,
    optOutNeedsNewSelfie: output.optOutNeedsNewSelfie,
    remembered:
      searchToken && searchTokenEndsAt && photoIds
        ? { searchToken, endsAt: searchTokenEndsAt, photoIds }
        : undefined,
  }
}

/** What the visitor wants this browser to do from now on. */
export function withRemembering(found: Found, isToRemember: boolean): Found {
  const remembered = isToRemember ? found.remembered : undefined
  return { ...found, person: { ...found.person, isToRemember }, remembered }
}

/** Whether the visitor wants this browser to keep what finds them, and there is nothing to keep. */
export const isNotKept = ({ person, remembered }: Found) => person.isToRemember === true && !remembered

/** A photo that the visitor is in is found. Another one is not asked about again. */
export function withAnswer(found: Found, answer: Answer): Found {
  const { photo, isMe } = answer
  const rest = without(found, photo)
  return {
    ...rest,
    person: { ...found.person, answers: [...found.person.answers, answer] },
    photos: isMe ? [...rest.photos, photo] : rest.photos,
  }
}

/** The visitor takes an answer back, and is asked again. */
export function withoutAnswer(found: Found, answer: Answer): Found {
  const rest = without(found, answer.photo)
  return {
    ...rest,
    person: { ...found.person, answers: found.person.answers.filter((other) => other !== answer) },
    possible: [answer.photo, ...rest.possible],
  }
}

function without(found: Found, photo: PossiblePhoto): Found {
  const path = pathOf(photo)
  return {
    ...found,
    photos: found.photos.filter((other) => pathOf(other) !== path),
    added: 0,
    possible: found.possible.filter(({ face }) => face.id !== photo.face.id),
  }
}

/** Whether the visitor has confirmed a photo since the search, or has taken that back. What this browser keeps has to have every
 *  answer. */
export function isOutdated({ person: { answers, isToRemember }, asked, remembered }: Found): boolean {
  const differs = (withYes: boolean) =>
    String(facesAnswered(answers, withYes)) !== String(facesAnswered(asked, withYes))
  return differs(true) || (isToRemember === true && (!remembered || differs(false)))
}

/** The repeated search replaces the former one. The photos keep their places, and new ones are at the end. What the
 *  visitor has said while it ran counts. */
export function renewed(former: Found, fresh: Found): Found {
  const { answers, isToRemember = false } = former.person
  const takenBack = fresh.asked.filter((answer) => !answers.includes(answer))
  const given = answers.filter((answer) => !fresh.asked.includes(answer))
  // The visitor may have pressed "Remember me" or "Forget me" meanwhile.
  const wanted = withRemembering(fresh, isToRemember && !isNotKept(fresh))
  const ordered = { ...wanted, photos: inOrderOf(former.photos, fresh.photos) }
  const now = given.reduce(withAnswer, takenBack.reduce(withoutAnswer, ordered))
  return { ...now, added: Math.max(0, now.photos.length - former.photos.length) }
}

function inOrderOf(former: readonly FoundPhoto[], fresh: readonly FoundPhoto[]): FoundPhoto[] {
  const places = new Map(former.map((photo, place) => [pathOf(photo), place]))
  const placeOf = (photo: FoundPhoto) => places.get(pathOf(photo)) ?? former.length
  return [...fresh].sort((one, other) => placeOf(one) - placeOf(other))
}
