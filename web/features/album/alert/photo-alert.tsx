import { type SubmitEvent, useRef, useState } from 'react'
import { ALERT_CONSENT } from '../../../../src/contract/alert-consent.ts'
import { ALERT_CONFIRM_HOURS, ALERT_DAYS, EMAIL_MAX_LENGTH } from '../../../../src/contract/limits.ts'
import { photoAlert as texts } from '../../../../src/texts/english/opt-outs.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { issuesOf } from '../../../lib/failure.ts'
import { takeFocus, useFocusAfter } from '../../../lib/focus.ts'
import { formatDate } from '../../../lib/format.ts'
import { MailIcon } from '../../../ui/action-icons.tsx'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FailureNotice } from '../../../ui/loading.tsx'
import { Sentence } from '../../../ui/sentence.tsx'
import { ConsentTick } from '../../photos/consent.tsx'
import { usePhotoAlert } from './use-photo-alert.ts'

const HEADINGS = { off: texts.offer, form: texts.offer, sent: texts.sent, on: texts.on }

/** Lets the visitor get a letter when there are more photos of them, or says that they have asked for that and how to end
 *  it. */
export function PhotoAlert() {
  const [isOpen, setIsOpen] = useState(false)
  const { asking, ending, kept, isConfirmed, sentTo } = usePhotoAlert(() => setIsOpen(false))
  const state = isOpen ? 'form' : sentTo && !isConfirmed ? 'sent' : kept ? 'on' : 'off'
  // When the visitor ends the letters on another page, the focus stays where it is.
  const wasPressed = useRef(false)
  const heading = useFocusAfter<HTMLHeadingElement>(state, () => wasPressed.current)

  return (
    <section
      aria-labelledby="photo-alert"
      onClickCapture={() => {
        wasPressed.current = true
      }}
      className="rounded-xl border border-line bg-surface p-5 shadow-card"
    >
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div className="min-w-0 max-w-read grow basis-80">
          <h2
            id="photo-alert"
            ref={heading}
            tabIndex={-1}
            className="flex items-center gap-2 text-heading font-semibold outline-none"
          >
            <MailIcon className="size-5 shrink-0 text-ink-soft" />
            {HEADINGS[state]}
          </h2>
          <p className="mt-1 text-ink-soft">
            {state === 'sent' && (
              <Sentence
                of={texts.sentTo(
                  <bdi className="break-words font-medium text-ink">{sentTo}</bdi>,
                  ALERT_CONFIRM_HOURS,
                )}
              />
            )}
            {state === 'on' && (
              <>
                <span>{(isConfirmed ? texts.isOn : texts.asked)(formatDate(kept!.endsAt))}</span>
                {isConfirmed === false && <span> {texts.waits}</span>}
              </>
            )}
            {(state === 'off' || state === 'form') && texts.explanation(ALERT_DAYS)}
          </p>
        </div>
        {state === 'off' && (
          <Button look="secondary" className="max-sm:w-full" onClick={() => setIsOpen(true)}>
            {texts.open}
          </Button>
        )}
        {(state === 'sent' || state === 'on') && (
          <div className="flex gap-3 max-sm:w-full max-sm:flex-col">
            {!isConfirmed && (
              <Button look="quiet" onClick={() => setIsOpen(true)}>
                {texts.sendAgain}
              </Button>
            )}
            <Button
              look="secondary"
              busy={ending.isPending}
              disabled={ending.isPending}
              onClick={() => kept && ending.mutate(kept.endToken)}
            >
              {texts.end}
            </Button>
          </div>
        )}
      </div>
      {isOpen && <AlertForm asking={asking} onCancel={() => setIsOpen(false)} />}
      <FailureNotice error={!isOpen && ending.error} className="mt-4" title={texts.notEnded} />
    </section>
  )
}

type AlertFormProps = Pick<ReturnType<typeof usePhotoAlert>, 'asking'> & { onCancel: () => void }

/** Takes the visitor's address and consent. */
function AlertForm({ asking, onCancel }: AlertFormProps) {
  const { isPending: isAsking, error: failure } = asking
  const [email, setEmail] = useState('')
  const [agrees, setAgrees] = useState(false)
  const wrongEmail = issuesOf(failure).find(({ path }) => path[0] === 'email')?.message

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!isAsking) asking.mutate(email.trim())
  }

  return (
    <form onSubmit={submit} className="mt-5 max-w-read space-y-4">
      <Field
        ref={takeFocus}
        label={texts.email}
        type="email"
        name="email"
        required
        maxLength={EMAIL_MAX_LENGTH}
        autoComplete="email"
        hint={texts.emailHint}
        error={wrongEmail}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <div className="text-sm">
        <ConsentTick text={ALERT_CONSENT.text} checked={agrees} onTick={setAgrees} />
      </div>
      <FailureNotice error={!wrongEmail && failure} title={texts.notSent} />
      <div className="flex flex-wrap-reverse gap-3 sm:justify-end">
        <Button look="secondary" className="max-sm:w-full" onClick={onCancel}>
          {common.cancel}
        </Button>
        <Button
          type="submit"
          className="max-sm:w-full"
          busy={isAsking}
          disabled={!agrees || email.trim() === '' || isAsking}
        >
          {isAsking ? texts.sending : texts.send}
        </Button>
      </div>
    </form>
  )
}
