import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { ALERT_CONSENT } from '../../../../src/contract/alert-consent.ts'
import { EMAIL_MAX_LENGTH } from '../../../../src/contract/limits.ts'
import { common, photoAlert as texts } from '../../../../src/texts/english.ts'
import { failureText, issuesOf } from '../../../lib/failure.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ConsentTick } from '../../photos/consent-tick.tsx'
import type { PhotoAlertState } from './use-photo-alert.ts'

export interface PhotoAlertFormProps {
  alert: PhotoAlertState
  onCancel: () => void
}

/** Takes the visitor's address and consent. */
export function PhotoAlertForm({ alert, onCancel }: PhotoAlertFormProps) {
  const [email, setEmail] = useState('')
  const [agrees, setAgrees] = useState(false)
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
      <div className="text-sm">
        <ConsentTick text={ALERT_CONSENT.text} isTicked={agrees} onTick={setAgrees} />
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
