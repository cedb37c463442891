import { SEARCH_MAX_SELFIES } from '../../../../src/contract/limits.ts'
import type { SearchedSelfie } from '../../../../src/contract/search.ts'
import { SELFIE_ADVICE } from '../../../../src/contract/selfie-advice.ts'
import {
  faceChooser as chooserTexts,
  selfieNotes,
  seenInSelfies as texts,
} from '../../../../src/texts/english/search-results.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { usePicture } from '../../photos/preview-image.tsx'
import { personOfFace } from './person.ts'
import { isSearching } from './state.ts'
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

interface FaceChooserProps extends Pick<SearchedSelfie, 'faces' | 'searched'> {
  file: File
  title?: string
  /** What the picture is. */
  alt?: string
  onChoose: (face: number) => void
}

/** A selfie with several faces: shows which one was searched for, and lets the visitor choose theirs. Nothing when the
 *  browser cannot show the file. */
export function FaceChooser(props: FaceChooserProps) {
  const { file, faces, searched, onChoose, title = chooserTexts.title, alt = chooserTexts.selfie } = props
  const isBusy = isSearching(useSearch().state)
  const { image, isBroken } = usePicture(file)
  if (isBroken) return null
  const fromLeft = faces
    .map(({ box }, face) => ({ box, face }))
    .sort((one, other) => one.box.left - other.box.left)
  return (
    <section
      aria-label={title}
      className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-xl border border-line bg-surface p-3 shadow-card"
    >
      <div className="relative w-fit overflow-hidden rounded-lg bg-sunken">
        {image.src ? (
          <>
            <img {...image} alt={alt} className="block max-h-72 w-auto" />
            {fromLeft.map(({ box, face }, place) => (
              <button
                key={face}
                type="button"
                aria-label={chooserTexts.face(place + 1, faces.length)}
                aria-pressed={face === searched}
                onClick={() => face !== searched && !isBusy && onChoose(face)}
                style={{
                  left: `${(box.left + box.width / 2) * 100}%`,
                  top: `${(box.top + box.height / 2) * 100}%`,
                  width: `${box.width * 100}%`,
                  height: `${box.height * 100}%`,
                }}
                // A small one is enlarged, so that a finger hits it.
                className="absolute min-h-7 min-w-7 -translate-1/2 rounded-md border-3 border-white/85 shadow-[0_0_0_1px_rgb(0_0_0/0.6),inset_0_0_0_1px_rgb(0_0_0/0.6)] hover:bg-white/20 aria-pressed:border-accent aria-pressed:bg-transparent"
              />
            ))}
          </>
        ) : (
          <div className="h-56 w-72" />
        )}
      </div>
      <div className="min-w-48 flex-1">
        <h3 className="font-semibold">{title}</h3>
        <p className="text-ink-soft">{isBusy ? chooserTexts.searching : chooserTexts.searched}</p>
      </div>
    </section>
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
