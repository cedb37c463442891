import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { CONSENT } from '../../../src/contract/wording.ts'
import { consentNote as texts } from '../../../src/texts/english.ts'
import { AlertIcon } from '../../ui/icons.tsx'
import type { Consent } from './use-consent.ts'

/** What happens with the selfie, above the button that is the consent. */
export function ConsentNote({ consent, disabled }: { consent: Consent; disabled: boolean }) {
  return (
    <div className="space-y-2 rounded-lg bg-sunken p-4 text-sm">
      {consent.asksForTick ? (
        <Tick consent={consent} disabled={disabled} />
      ) : (
        <p>
          {CONSENT.text} <PolicyLink />
        </p>
      )}
      <p className="text-ink-soft">{texts.child}</p>
    </div>
  )
}

function Tick({ consent, disabled }: { consent: Consent; disabled: boolean }) {
  const id = useId()
  return (
    <>
      <div className="flex items-start gap-1">
        {/* The label has the box's height, so that a finger meets it. */}
        <span className="-my-2.5 -ml-2.5 grid size-11 shrink-0 place-items-center">
          <input
            ref={consent.box}
            id={id}
            type="checkbox"
            checked={consent.isTicked}
            disabled={disabled}
            required
            aria-invalid={consent.isMissing || undefined}
            aria-describedby={consent.isMissing ? `${id}-missing` : undefined}
            onChange={(event) => consent.tick(event.currentTarget.checked)}
            className="size-5 accent-accent-deep"
          />
        </span>
        <p>
          <label htmlFor={id} className="font-medium">
            {CONSENT.tick}
          </label>{' '}
          <PolicyLink />
        </p>
      </div>
      {consent.isMissing && (
        <p id={`${id}-missing`} role="alert" className="flex items-center gap-2 font-medium text-danger">
          <AlertIcon />
          {texts.pleaseTick}
        </p>
      )}
    </>
  )
}

/** Opens in a tab of its own, so that the chosen selfie stays. */
function PolicyLink() {
  return (
    <Link to="/privacy-policy" target="_blank" className="whitespace-nowrap underline underline-offset-4">
      {texts.policy}
    </Link>
  )
}
