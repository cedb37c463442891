import { Link } from '@tanstack/react-router'
import { type ComponentProps, useId } from 'react'
import { CONSENT } from '../../../src/contract/wording.ts'
import { consentNote as texts } from '../../../src/texts/english/search.ts'
import { AlertIcon } from '../../ui/icons.tsx'
import type { Consent } from './use-consent.ts'

/** What happens with the selfie, above the button that is the consent. */
export function ConsentNote({ consent, disabled }: { consent: Consent; disabled: boolean }) {
  return (
    <div className="space-y-2 rounded-lg bg-sunken p-4 text-sm">
      {consent.asksForTick ? (
        <ConsentTick
          ref={consent.box}
          text={consent.agreed.tick}
          isTicked={consent.isTicked}
          onTick={consent.tick}
          disabled={disabled}
          isMissing={consent.isMissing}
          className="font-medium"
        />
      ) : (
        <p>
          {CONSENT.text} <PolicyLink />
        </p>
      )}
      <p className="text-ink-soft">{consent.byParents ? texts.onlyYours : texts.child}</p>
    </div>
  )
}

export interface ConsentTickProps extends Pick<ComponentProps<'input'>, 'ref' | 'disabled'> {
  /** What a tick agrees to. */
  text: string
  isTicked: boolean
  onTick: (isTicked: boolean) => void
  /** The visitor has gone on without the tick. */
  isMissing?: boolean
  /** Of the text. */
  className?: string
}

/** The box with which a visitor agrees to something, and the privacy policy beside it. */
export function ConsentTick(props: ConsentTickProps) {
  const { text, isTicked, onTick, isMissing = false, className, ...rest } = props
  const id = useId()
  return (
    <>
      <div className="flex items-start gap-1">
        {/* A label of 44 px around the box, so that a finger hits it. */}
        <label className="-my-2.5 -ml-2.5 grid size-11 shrink-0 place-items-center">
          <input
            {...rest}
            id={id}
            type="checkbox"
            required
            checked={isTicked}
            aria-labelledby={`${id}-text`}
            aria-invalid={isMissing || undefined}
            aria-describedby={isMissing ? `${id}-missing` : undefined}
            onChange={(event) => onTick(event.currentTarget.checked)}
            className="size-5 accent-accent-deep"
          />
        </label>
        <p>
          <label id={`${id}-text`} htmlFor={id} className={className}>
            {text}
          </label>{' '}
          <PolicyLink />
        </p>
      </div>
      {isMissing && (
        <p id={`${id}-missing`} role="alert" className="flex items-center gap-2 font-medium text-danger">
          <AlertIcon />
          {texts.pleaseTick}
        </p>
      )}
    </>
  )
}

/** Opens in a tab of its own, so that the page stays as it is. */
const PolicyLink = () => (
  <Link to="/privacy-policy" target="_blank" className="whitespace-nowrap underline underline-offset-4">
    {texts.policy}
  </Link>
)
