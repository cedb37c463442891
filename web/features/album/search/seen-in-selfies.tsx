import { SEARCH_MAX_SELFIES } from '../../../../src/contract/limits.ts'
import type { SearchedSelfie } from '../../../../src/contract/search.ts'
import { SELFIE_ADVICE } from '../../../../src/contract/selfie-advice.ts'
import { selfieNotes, seenInSelfies as texts } from '../../../../src/texts/english/search-results.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { FaceChooser } from './face-chooser.tsx'
import { personOfFace } from './person.ts'
import { useFound, useSearch } from './use-search.tsx'

/** What the visitor should know about their selfies, and the faces to choose from. Nothing when each shows one face well. */
export function SeenInSelfies() {
  const { begin, startOver } = useSearch()
  const { person } = useFound()
  const notes = leftOut(person.seen)
  const advice = adviceOn(person.seen)
  const choices = person.seen.flatMap(({ faces, searched, isSomebodyElse }, place) => {
    const file = person.selfies[place]
    return file && faces.length > 1 && !isSomebodyElse ? [{ place, file, faces, searched }] : []
  })
  if (notes.length === 0 && !advice && choices.length === 0) return null
  return (
    <div className="mb-6 space-y-3">
      {notes.length > 0 && (
        <Notice>
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </Notice>
      )}
      {advice && (
        <Notice title={texts.title}>
          <p>{advice}</p>
          {person.selfies.length < SEARCH_MAX_SELFIES && (
            <Button look="secondary" className="mt-3 max-sm:w-full" onClick={() => startOver(true)}>
              {texts.add}
            </Button>
          )}
        </Notice>
      )}
      {choices.map(({ place, ...choice }) => (
        <FaceChooser key={place} {...choice} onChoose={(face) => begin(personOfFace(person, place, face))} />
      ))}
    </div>
  )
}

/** Which selfies were left out of a search, and why: a sentence for each. */
export function leftOut(selfies: readonly SearchedSelfie[]): string[] {
  return selfies.flatMap(({ faces, isSomebodyElse }, place) => {
    if (isSomebodyElse) return [selfieNotes.somebodyElse(place)]
    return faces.length === 0 && selfies.length > 1 ? [selfieNotes.noFace(place)] : []
  })
}

/** What would make a search with these selfies better. Undefined when one of them is good. When there are several faces in
 *  one, the visitor chooses theirs: that is no problem. */
export function adviceOn(selfies: readonly SearchedSelfie[]): string | undefined {
  const used = selfies.filter(({ faces, isSomebodyElse }) => faces.length > 0 && !isSomebodyElse)
  const problems = used.map((selfie) => selfie.problems.find((problem) => problem !== 'SEVERAL_FACES'))
  const [first] = problems
  return first && !problems.includes(undefined) ? SELFIE_ADVICE[first] : undefined
}
