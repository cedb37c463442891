/** What a search of an album has found, and what becomes of it. */
import type { FoundPhoto, PossiblePhoto, SearchOutput } from '../../../../src/contract/search.ts'
import type { KeptSearch, Remembered } from '../../../lib/persisted.ts'
import { pathOf } from '../../photos/photo-path.ts'
import type { Answer, Person } from './person.ts'

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
  /** What the service has given this browser to keep: the search was one that remembers the visitor. */
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
      isOfFormerVisit: false,
      seen: person.searchToken ? person.seen : output.selfies,
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

/** What a tab keeps of a search. Undefined when nothing stands in place of the selfies, and of a visitor whom this browser
 *  remembers: no tab keeps a token that is valid for so long. */
export function keptOf({ person, remembered }: Found): KeptSearch | undefined {
  const { searchToken, answers, other } = person
  if (!searchToken || remembered) return undefined
  const ofOther = other?.searchToken ? { searchToken: other.searchToken, combine: other.combine } : undefined
  return { searchToken, answers, other: ofOther }
}

/** Whether the visitor wants this browser to keep what finds them, and there is nothing to keep. */
export const isNotKept = ({ person, remembered }: Pick<Found, 'person' | 'remembered'>) =>
  person.isToRemember === true && !remembered

export function withRemembering(found: Found, isToRemember: boolean): Found {
  return { ...found, person: { ...found.person, isToRemember } }
}

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

/** Whether another search is due: the visitor has confirmed a photo since the last one, or has taken that back. What this browser
 *  keeps has to have every answer. */
export function isOutdated(found: Found): boolean {
  const { person, asked } = found
  const counted = (answers: readonly Answer[]) =>
    String(answers.filter(({ isMe }) => isMe || person.isToRemember).map(({ photo }) => photo.face.id))
  return isNotKept(found) || counted(person.answers) !== counted(asked)
}

/** The repeated search replaces the former one. The photos keep their places, and new ones are at the end. What the
 *  visitor has said while it ran counts. */
export function renewed(former: Found, fresh: Found): Found {
  const { answers, isToRemember = false } = former.person
  const takenBack = fresh.asked.filter((answer) => !answers.includes(answer))
  const given = answers.filter((answer) => !fresh.asked.includes(answer))
  const ordered = { ...fresh, photos: inOrderOf(former.photos, fresh.photos) }
  const answered = given.reduce(withAnswer, takenBack.reduce(withoutAnswer, ordered))
  const now = withRemembering(answered, isToRemember && !isNotKept(fresh))
  return { ...now, added: Math.max(0, now.photos.length - former.photos.length) }
}

/** The search could not be repeated for this person. The results stay. It is tried again for what the visitor says next. What they
 *  wanted to be kept is not. */
export function notRenewed(former: Found, person: Person): Found {
  const { isToRemember = false } = former.person
  const isLeft = isNotKept({ ...former, person })
  return withRemembering({ ...former, asked: person.answers }, isToRemember && !isLeft)
}

function inOrderOf(former: readonly FoundPhoto[], fresh: readonly FoundPhoto[]): FoundPhoto[] {
  const places = new Map(former.map((photo, place) => [pathOf(photo), place]))
  const placeOf = (photo: FoundPhoto) => places.get(pathOf(photo)) ?? former.length
  return [...fresh].sort((one, other) => placeOf(one) - placeOf(other))
}
