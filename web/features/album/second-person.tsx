import { useEffect, useRef, useState } from 'react'
import type { Combination } from '../../../src/contract/search.ts'
import { secondPerson as texts } from '../../../src/texts/english/search.ts'
import { common } from '../../../src/texts/english/site.ts'
import { Button } from '../../ui/button.tsx'
import { FaceIcon } from '../../ui/icons.tsx'
import { CloseIcon } from '../../ui/more-icons.tsx'
import { ConsentNote } from '../photos/consent-note.tsx'
import { PreviewImage } from '../photos/preview-image.tsx'
import { SelfiePicker } from '../photos/selfie-picker.tsx'
import type { Consent } from '../photos/use-consent.ts'
import type { AlbumSearch } from './album-search-types.ts'
import { FaceChooser } from './face-chooser.tsx'
import type { Found, OtherPerson } from './found.ts'

export interface SecondPersonProps {
  found: Found
  search: AlbumSearch
  /** To the search with the second person's selfie. */
  consent: Consent
}

/** Families and couples look for photos together: adds a second person, or says which photos are wanted of the two. */
export function SecondPerson({ found, search, consent }: SecondPersonProps) {
  const { other } = found.person
  return (
    <div className="mb-6">
      {other ? (
        <Chosen other={other} found={found} search={search} />
      ) : (
        <Offer search={search} consent={consent} />
      )}
    </div>
  )
}

function Offer({ search, consent }: Omit<SecondPersonProps, 'found'>) {
  const { isSearching, searchWith } = search
  const [isOpen, setIsOpen] = useState(false)
  const [selfies, setSelfies] = useState<readonly File[]>([])
  const [selfie] = selfies
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)

  // Its form is gone.
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])

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
        disabled={isSearching}
        onChange={setSelfies}
        takesFocus
      />
      <ConsentNote consent={consent} disabled={isSearching} />
      <div className="flex flex-wrap gap-3">
        <Button
          className="max-sm:w-full"
          busy={isSearching}
          disabled={!selfie || isSearching}
          onClick={() => selfie && consent.check() && searchWith({ selfie, face: 0, combine: 'both' })}
        >
          {isSearching ? texts.searching : texts.search}
        </Button>
        <Button
          look="quiet"
          className="max-sm:w-full"
          disabled={isSearching}
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

function Chosen({ other, found, search }: Omit<SecondPersonProps, 'consent'> & { other: OtherPerson }) {
  const { isSearching, searchWith } = search
  const faces = found.otherSelfie?.faces ?? []
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
          aria-busy={isSearching || undefined}
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
                onChange={() => !isSearching && searchWith({ ...other, combine })}
              />
              {label}
            </label>
          ))}
        </fieldset>
        <Button look="quiet" disabled={isSearching} onClick={() => searchWith(undefined)} className="-ml-4">
          <CloseIcon className="size-4" />
          {texts.remove}
        </Button>
      </div>
      {faces.length > 1 && other.selfie && (
        <FaceChooser
          file={other.selfie}
          faces={faces}
          searched={found.otherSelfie!.searched}
          title={texts.notThem}
          alt={texts.selfie}
          isSearching={isSearching}
          onChoose={(face) => searchWith({ ...other, sent: undefined, face })}
        />
      )}
    </section>
  )
}
