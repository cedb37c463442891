import { useEffect, useRef, useState } from 'react'
import { ALERT_CONFIRM_HOURS, ALERT_DAYS } from '../../../../src/contract/limits.ts'
import { photoAlert as texts } from '../../../../src/texts/english.ts'
import { failureText } from '../../../lib/failure.ts'
import { formatDate } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { MailIcon } from '../../../ui/more-icons.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Sentence } from '../../../ui/sentence.tsx'
import type { Consent } from '../../photos/use-consent.ts'
import type { Found } from '../search/found.ts'
import { PhotoAlertForm } from './photo-alert-form.tsx'
import { usePhotoAlert } from './use-photo-alert.ts'

export interface PhotoAlertProps {
  albumName: string
  found: Found
  consent: Consent
}

/** Lets the visitor get a letter when there are more photos of them, or says that they have asked for that and how to end
 *  it. */
export function PhotoAlert({ albumName, found, consent }: PhotoAlertProps) {
  const alert = usePhotoAlert(albumName, found, consent)
  const { kept, sentTo, isConfirmed, isWaiting } = alert
  const [isOpen, setIsOpen] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const state = isOpen ? 'form' : sentTo && !isConfirmed ? 'sent' : kept ? 'on' : 'off'
  const former = useRef(state)
  const wasPressed = useRef(false)

  // What was pressed is replaced. A screen reader continues with the heading. The state also changes without a press, when
  // the visitor ends the letters on another page; then the focus stays where it is.
  useEffect(() => {
    if (former.current !== state && state !== 'form') {
      if (wasPressed.current) heading.current?.focus()
      wasPressed.current = false
    }
    former.current = state
  }, [state])
  // A new object with each success: a second letter closes the form, too.
  useEffect(() => {
    if (kept) setIsOpen(false)
  }, [kept])

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
            {state === 'on' && !isConfirmed && texts.asked(formatDate(kept!.endsAt))}
            {state === 'on' && isWaiting && ` ${texts.waits}`}
            {state === 'on' && isConfirmed && texts.isOn(formatDate(kept!.endsAt))}
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
            <Button look="secondary" busy={alert.isEnding} disabled={alert.isEnding} onClick={alert.end}>
              {texts.end}
            </Button>
          </div>
        )}
      </div>
      {isOpen && <PhotoAlertForm alert={alert} onCancel={() => setIsOpen(false)} />}
      {alert.endFailure && !isOpen && (
        <Notice tone="error" className="mt-4" title={texts.notEnded}>
          {failureText(alert.endFailure)}
        </Notice>
      )}
    </section>
  )
}

const HEADINGS = {
  off: texts.offer,
  form: texts.offer,
  sent: texts.sent,
  on: texts.on,
}
