import { Link } from '@tanstack/react-router'
import { type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { EMAIL_MAX_LENGTH } from '../../../src/contract/limits.ts'
import { ALERT_CONSENT } from '../../../src/contract/wording.ts'
import { common, photoAlert as texts } from '../../../src/texts/english.ts'
import { failureText, issuesOf } from '../../lib/failure.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { PhotoAlertState } from './use-photo-alert.ts'

export interface PhotoAlertFormProps {
  alert: PhotoAlertState
  onCancel: () => void
}

/** Takes the visitor's address and consent. */
export function PhotoAlertForm({ alert, onCancel }: PhotoAlertFormProps) {
  const [email, setEmail] = useState('')
  const [agrees, setAgrees] = useState(false)
  const box = useId()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const wrongEmail = issuesOf(alert.failure).find(({ path }) => path[0] === 'email')?.message

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!alert.isAsking) alert.ask(email.trim())
  }

  return (
    <form ref={form} onSubmit={submit} className="mt-5 max-w-read space-y-4">
      <Field
        label={texts.email}
        type="email"
        name="email"
        required
        maxLength={EMAIL_MAX_LENGTH}
        autoComplete="email"
        hint={texts.emailHint}
        {...(wrongEmail && { error: wrongEmail })}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <div className="flex items-start gap-1 text-sm">
        {/* The label has the box's height, so that a finger meets it. */}
        <span className="-my-2.5 -ml-2.5 grid size-11 shrink-0 place-items-center">
          <input
            id={box}
            type="checkbox"
            required
            checked={agrees}
            onChange={(event) => setAgrees(event.target.checked)}
            className="size-5 accent-accent-deep"
          />
        </span>
        <p>
          <label htmlFor={box}>{ALERT_CONSENT.text}</label>{' '}
          {/* Opens in a tab of its own, so that the results stay. */}
          <Link
            to="/privacy-policy"
            target="_blank"
            className="whitespace-nowrap underline underline-offset-4"
          >
            {texts.policy}
          </Link>
        </p>
      </div>
      {alert.failure && !wrongEmail && (
        <Notice tone="error" title={texts.notSent}>
          {failureText(alert.failure)}
        </Notice>
      )}
      <div className="flex flex-wrap-reverse gap-3 sm:justify-end">
        <Button look="secondary" className="max-sm:w-full" onClick={onCancel}>
          {common.cancel}
        </Button>
        <Button
          type="submit"
          className="max-sm:w-full"
          busy={alert.isAsking}
          disabled={!agrees || email.trim() === '' || alert.isAsking}
        >
          {alert.isAsking ? texts.sending : texts.send}
        </Button>
      </div>
    </form>
  )
}
