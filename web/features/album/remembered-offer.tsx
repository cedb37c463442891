import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { REMEMBERED_DAYS } from '../../../src/contract/limits.ts'
import { remembered as texts } from '../../../src/texts/english/search.ts'
import { formatDate } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { LockIcon } from '../../ui/more-icons.tsx'
import { Sentence } from '../../ui/sentence.tsx'

export interface RememberedOfferProps {
  /** When what the browser keeps ends, as an ISO date; undefined while it keeps nothing. */
  endsAt: string | undefined
  isSaving: boolean
  onRemember: () => void
  onForget: () => void
}

/** Lets the visitor come back without a selfie, or says that this is already so and how to end it. */
export function RememberedOffer({ endsAt, isSaving, onRemember, onForget }: RememberedOfferProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const former = useRef(endsAt)

  // The button that was pressed is replaced. A screen reader continues with the new heading.
  useEffect(() => {
    const hasChanged = (former.current === undefined) !== (endsAt === undefined)
    former.current = endsAt
    if (hasChanged && document.activeElement === document.body) heading.current?.focus()
  }, [endsAt])

  return (
    <section
      aria-labelledby="remember"
      className="flex flex-wrap items-center justify-between gap-4 rounded-xl border border-line bg-surface p-5 shadow-card"
    >
      <div className="min-w-0 max-w-read grow basis-80">
        <h2
          id="remember"
          ref={heading}
          tabIndex={-1}
          className="flex items-center gap-2 text-heading font-semibold outline-none"
        >
          <LockIcon className="size-5 shrink-0 text-ink-soft" />
          {endsAt === undefined ? texts.offer : texts.offerTaken}
        </h2>
        <p className="mt-1 text-ink-soft">
          {endsAt === undefined ? texts.keeps(REMEMBERED_DAYS) : texts.keepsUntil(formatDate(endsAt))}{' '}
          <Link
            to="/privacy-policy"
            className="underline decoration-line-strong underline-offset-4 hover:text-ink"
          >
            {texts.privacy}
          </Link>
        </p>
      </div>
      {endsAt === undefined ? (
        <Button
          look="secondary"
          className="max-sm:w-full"
          busy={isSaving}
          disabled={isSaving}
          onClick={onRemember}
        >
          <span>
            <Sentence of={texts.remember(<Device />)} />
          </span>
        </Button>
      ) : (
        <Button look="secondary" className="max-sm:w-full" onClick={onForget}>
          {texts.forget}
        </Button>
      )}
    </section>
  )
}

function Device() {
  return (
    <>
      <span className="not-pointer-coarse:hidden">{texts.phone}</span>
      <span className="pointer-coarse:hidden">{texts.computer}</span>
    </>
  )
}
