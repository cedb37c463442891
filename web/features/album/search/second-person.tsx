import { useState } from 'react'
import type { Combination } from '../../../../src/contract/search.ts'
import { secondPerson as texts } from '../../../../src/texts/english/search-results.ts'
import { Button } from '../../../ui/button.tsx'
import { buttonLook } from '../../../ui/button-look.ts'
import { FaceIcon } from '../../../ui/icons.tsx'
import { CloseIcon } from '../../../ui/more-icons.tsx'
import { ConsentNote } from '../../photos/consent.tsx'
import { PreviewImage } from '../../photos/preview-image.tsx'
import { SelfiePicker } from '../../photos/selfie-picker.tsx'
import type { OtherPerson } from './person.ts'
import { FaceChooser } from './seen-in-selfies.tsx'
import { isSearching } from './state.ts'
import { useFound, useSearch } from './use-search.tsx'

/** Families and couples look for photos together: adds a second person, or says which photos are wanted of the two. */
export function SecondPerson() {
  const { state, begin } = useSearch()
  const { person } = useFound()
  const props = {
    isBusy: isSearching(state),
    searchWith: (other: OtherPerson | undefined) => begin({ ...person, other }),
  }
  return (
    <div className="mb-6">
      {person.other ? <Chosen {...props} other={person.other} /> : <Offer {...props} />}
    </div>
  )
}

interface PartProps {
  isBusy: boolean
  /** Searches also for a second person, or for one person only. */
  searchWith: (other: OtherPerson | undefined) => void
}

function Offer({ isBusy, searchWith }: PartProps) {
  const { consent } = useSearch()
  const [selfies, setSelfies] = useState<readonly File[]>([])
  const [selfie] = selfies
  return (
    <details className="max-w-read">
      <summary className={`${buttonLook('quiet')} -ml-4 cursor-pointer`}>
        <FaceIcon className="size-5" />
        {texts.offer}
      </summary>
      <div className="mt-2 space-y-4 rounded-xl border border-line bg-surface p-5 shadow-card">
        <p className="text-ink-soft">{texts.explanation}</p>
        <SelfiePicker selfies={selfies} most={1} title={texts.drop} disabled={isBusy} onChange={setSelfies} />
        <ConsentNote consent={consent} disabled={isBusy} />
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
      </div>
    </details>
  )
}

const CHOICES: { combine: Combination; label: string }[] = [
  { combine: 'both', label: texts.both },
  { combine: 'either', label: texts.either },
]

function Chosen({ other, isBusy, searchWith }: PartProps & { other: OtherPerson }) {
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
