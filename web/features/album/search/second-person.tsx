import { useState } from 'react'
import type { Combination } from '../../../../src/contract/search.ts'
import { secondPerson as texts } from '../../../../src/texts/english/search-results.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { useFocusAfter } from '../../../lib/focus.ts'
import { Button } from '../../../ui/button.tsx'
import { FaceIcon } from '../../../ui/icons.tsx'
import { CloseIcon } from '../../../ui/more-icons.tsx'
import { ConsentNote } from '../../photos/consent.tsx'
import { PreviewImage } from '../../photos/preview-image.tsx'
import { SelfiePicker } from '../../photos/selfie-picker.tsx'
import { FaceChooser } from './face-chooser.tsx'
import type { OtherPerson } from './person.ts'
import { isSearching } from './state.ts'
import { useFound, useSearch } from './use-search.tsx'

/** Families and couples look for photos together: adds a second person, or says which photos are wanted of the two. */
export function SecondPerson() {
  const { other } = useFound().person
  return <div className="mb-6">{other ? <Chosen other={other} /> : <Offer />}</div>
}

/** Searches also for a second person, or for one person only. */
function useSearchWith() {
  const { begin } = useSearch()
  const { person } = useFound()
  return (other: OtherPerson | undefined) => begin({ ...person, other })
}

function Offer() {
  const { state, consent } = useSearch()
  const searchWith = useSearchWith()
  const isBusy = isSearching(state)
  const [isOpen, setIsOpen] = useState(false)
  const [selfies, setSelfies] = useState<readonly File[]>([])
  const [selfie] = selfies
  const opener = useFocusAfter<HTMLButtonElement>(isOpen)

  if (!isOpen)
    return (
      <Button ref={opener} look="quiet" className="-ml-4" onClick={() => setIsOpen(true)}>
        <FaceIcon className="size-5" />
        {texts.offer}
      </Button>
    )
  return (
    <section
      aria-labelledby="somebody-else"
      className="max-w-read space-y-4 rounded-xl border border-line bg-surface p-5 shadow-card"
    >
      <div>
        <h3 id="somebody-else" className="text-heading font-semibold">
          {texts.question}
        </h3>
        <p className="mt-1 text-ink-soft">{texts.explanation}</p>
      </div>
      <SelfiePicker
        selfies={selfies}
        most={1}
        title={texts.drop}
        disabled={isBusy}
        onChange={setSelfies}
        takesFocus
      />
      <ConsentNote consent={consent} disabled={isBusy} />
      <div className="flex flex-wrap gap-3">
        <Button
          className="max-sm:w-full"
          busy={isBusy}
          disabled={!selfie || isBusy}
          onClick={() =>
            selfie && consent.check() && searchWith({ selfie, face: 0, combine: 'both', seen: [] })
          }
        >
          {isBusy ? texts.searching : texts.search}
        </Button>
        <Button
          look="quiet"
          className="max-sm:w-full"
          disabled={isBusy}
          onClick={() => {
            setSelfies([])
            setIsOpen(false)
          }}
        >
          {common.cancel}
        </Button>
      </div>
    </section>
  )
}

const CHOICES: { combine: Combination; label: string }[] = [
  { combine: 'both', label: texts.both },
  { combine: 'either', label: texts.either },
]

function Chosen({ other }: { other: OtherPerson }) {
  const isBusy = isSearching(useSearch().state)
  const searchWith = useSearchWith()
  const [seen] = other.seen
  return (
    <section aria-label={texts.person} className="space-y-4">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        {other.selfie && (
          <PreviewImage
            file={other.selfie}
            alt={texts.selfie}
            className="size-12 shrink-0 rounded-full bg-sunken object-cover"
          />
        )}
        <fieldset
          aria-busy={isBusy || undefined}
          className="flex rounded-md border border-line-strong bg-surface p-1 aria-busy:opacity-55"
        >
          <legend className="sr-only">{texts.which}</legend>
          {CHOICES.map(({ combine, label }) => (
            <label
              key={combine}
              className="flex min-h-10 cursor-pointer items-center rounded-sm px-4 font-semibold text-ink-soft has-checked:bg-accent has-checked:text-on-accent has-focus-visible:outline-3 has-focus-visible:outline-offset-3 has-focus-visible:outline-focus"
            >
              <input
                type="radio"
                name="combine"
                className="sr-only"
                checked={combine === other.combine}
                onChange={() => !isBusy && searchWith({ ...other, combine })}
              />
              {label}
            </label>
          ))}
        </fieldset>
        <Button look="quiet" disabled={isBusy} onClick={() => searchWith(undefined)} className="-ml-4">
          <CloseIcon className="size-4" />
          {texts.remove}
        </Button>
      </div>
      {seen && seen.faces.length > 1 && other.selfie && (
        <FaceChooser
          {...seen}
          file={other.selfie}
          title={texts.notThem}
          alt={texts.selfie}
          onChoose={(face) => searchWith({ ...other, searchToken: undefined, seen: [], face })}
        />
      )}
    </section>
  )
}
