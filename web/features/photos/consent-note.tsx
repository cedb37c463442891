import { useId } from 'react'
import { CONSENT } from '../../../src/contract/wording.ts'
import { consentNote as texts } from '../../../src/texts/english/search.ts'
import { AlertIcon } from '../../ui/icons.tsx'
import { ConsentTick, PolicyLink } from './consent-tick.tsx'
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
      <p className="text-ink-soft">{consent.byParents ? texts.onlyYours : texts.child}</p>
    </div>
  )
}

function Tick({ consent, disabled }: { consent: Consent; disabled: boolean }) {
  const missing = useId()
  return (
    <>
      <ConsentTick
        ref={consent.box}
        text={consent.agreed.tick}
        isTicked={consent.isTicked}
        onTick={consent.tick}
        disabled={disabled}
        aria-invalid={consent.isMissing || undefined}
        aria-describedby={consent.isMissing ? missing : undefined}
        className="font-medium"
      />
      {consent.isMissing && (
        <p id={missing} role="alert" className="flex items-center gap-2 font-medium text-danger">
          <AlertIcon />
          {texts.pleaseTick}
        </p>
      )}
    </>
  )
}
