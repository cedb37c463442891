import { Link } from '@tanstack/react-router'
import { type ComponentProps, useId, useRef, useState } from 'react'
import type { AlbumSettings } from '../../../src/contract/albums/album-settings.ts'
import { CONSENT, PARENTS_CONSENT } from '../../../src/contract/wording.ts'
import { consentNote as texts } from '../../../src/texts/english/search.ts'
import { reasonOf } from '../../lib/failure.ts'
import { AlertIcon } from '../../ui/icons.tsx'

export type Consent = ReturnType<typeof useConsent>
export type Agreed = Pick<Consent, 'agreed' | 'isTicked'>

/** What the visitor agrees to before a search with a selfie. The press of the button is the consent; some albums ask for
 *  a tick, too.
 *  @param album undefined while its settings are not known */
export function useConsent(album?: Pick<AlbumSettings, 'consentTick' | 'forChildren'>) {
  const box = useRef<HTMLInputElement>(null)
  const [wasRefused, setWasRefused] = useState(false)
  const [isTicked, setIsTicked] = useState(false)
  const [isMissing, setIsMissing] = useState(false)
  const asksForTick = album?.consentTick === 'on' || wasRefused
  const byParents = album?.forChildren === 'on'
  return {
    /** The album is for children, so their parents search. */
    byParents,
    /** What a tick agrees to, and its version. */
    agreed: byParents ? PARENTS_CONSENT : CONSENT,
    /** The album asks for a tick. */
    asksForTick,
    isTicked,
    /** The visitor has pressed the button without the tick. */
    isMissing,
    box,
    tick(next: boolean) {
      setIsTicked(next)
      setIsMissing(false)
    },
    /** Whether the search may begin. If not, the box has the focus and says what is missing. */
    check() {
      const isGiven = isTicked || !asksForTick
      setIsMissing(!isGiven)
      if (!isGiven) box.current?.focus()
      return isGiven
    },
    /** Shows the box when the service asks for the tick: the organiser may have just begun to ask for it. */
    learnFrom(error: unknown) {
      if (reasonOf(error) === 'consent_needed') setWasRefused(true)
    },
  }
}

/** Says in the form of a search what the visitor has agreed to. */
export function appendConsent(form: FormData, { isTicked, agreed }: Agreed): void {
  form.append('consentVersion', String(agreed.version))
  form.append('consent', String(isTicked))
}

/** What happens with the selfie, above the button that is the consent. */
export function ConsentNote({ consent, disabled }: { consent: Consent; disabled: boolean }) {
  const { isMissing } = consent
  const missing = useId()
  return (
    <div className="space-y-2 rounded-lg bg-sunken p-4 text-sm">
      {consent.asksForTick ? (
        <ConsentTick
          ref={consent.box}
          text={consent.agreed.tick}
          checked={consent.isTicked}
          onTick={consent.tick}
          disabled={disabled}
          aria-invalid={isMissing || undefined}
          aria-describedby={isMissing ? missing : undefined}
        />
      ) : (
        <p>
          {CONSENT.text} <PolicyLink />
        </p>
      )}
      {isMissing && (
        <p id={missing} role="alert" className="flex items-center gap-2 font-medium text-danger">
          <AlertIcon />
          {texts.pleaseTick}
        </p>
      )}
      <p className="text-ink-soft">{consent.byParents ? texts.onlyYours : texts.child}</p>
    </div>
  )
}

export interface ConsentTickProps extends ComponentProps<'input'> {
  /** What a tick agrees to. */
  text: string
  onTick: (isTicked: boolean) => void
}

/** The box with which a visitor agrees to something, and the privacy policy beside it. */
export function ConsentTick({ text, onTick, ...input }: ConsentTickProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-1">
      {/* A label of 44 px around the box, so that a finger hits it. */}
      <label className="-my-2.5 -ml-2.5 grid size-11 shrink-0 place-items-center">
        <input
          {...input}
          id={id}
          type="checkbox"
          required
          aria-labelledby={`${id}-text`}
          onChange={(event) => onTick(event.currentTarget.checked)}
          className="size-5 accent-accent-deep"
        />
      </label>
      <p>
        <label id={`${id}-text`} htmlFor={id}>
          {text}
        </label>{' '}
        <PolicyLink />
      </p>
    </div>
  )
}

/** Opens in a tab of its own, so that the page stays as it is. */
const PolicyLink = () => (
  <Link to="/privacy-policy" target="_blank" className="whitespace-nowrap underline underline-offset-4">
    {texts.policy}
  </Link>
)
