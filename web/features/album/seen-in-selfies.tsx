import { SEARCH_MAX_SELFIES } from '../../../src/contract/limits.ts'
import { seenInSelfies as texts } from '../../../src/texts/english/search.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { AlbumSearch } from './album-search-types.ts'
import { FaceChooser } from './face-chooser.tsx'
import type { Found } from './found.ts'
import { adviceOn, leftOut } from './selfie-notes.ts'

export interface SeenInSelfiesProps {
  found: Found
  search: AlbumSearch
  onAddSelfie: () => void
}

/** What the visitor should know about their selfies, and the faces to choose from. Nothing when each shows one face well. */
export function SeenInSelfies({ found, search, onAddSelfie }: SeenInSelfiesProps) {
  const { person, selfies } = found
  const notes = leftOut(selfies)
  const advice = adviceOn(selfies)
  const choices = selfies.flatMap(({ faces, searched, isSomebodyElse }, place) => {
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
            <Button look="secondary" className="mt-3 max-sm:w-full" onClick={onAddSelfie}>
              {texts.add}
            </Button>
          )}
        </Notice>
      )}
      {choices.map(({ place, ...choice }) => (
        <FaceChooser
          key={place}
          {...choice}
          isSearching={search.isSearching}
          onChoose={(face) => search.chooseFace(place, face)}
        />
      ))}
    </div>
  )
}
