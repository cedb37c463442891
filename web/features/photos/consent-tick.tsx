import { Link } from '@tanstack/react-router'
import { type ComponentProps, useId } from 'react'
import { consentNote as texts } from '../../../src/texts/english/search.ts'

export interface ConsentTickProps
  extends Pick<ComponentProps<'input'>, 'ref' | 'disabled' | 'aria-invalid' | 'aria-describedby'> {
  /** What a tick agrees to. */
  text: string
  isTicked: boolean
  onTick: (isTicked: boolean) => void
  /** Of the text. */
  className?: string
}

/** The box with which a visitor agrees to something, and the privacy policy beside it. */
export function ConsentTick({ text, isTicked, onTick, className, ...rest }: ConsentTickProps) {
  const id = useId()
  return (
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
  )
}

/** Opens in a tab of its own, so that the page stays as it is. */
export function PolicyLink() {
  return (
    <Link to="/privacy-policy" target="_blank" className="whitespace-nowrap underline underline-offset-4">
      {texts.policy}
    </Link>
  )
}
