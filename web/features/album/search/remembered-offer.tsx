import { Link } from '@tanstack/react-router'
import { REMEMBERED_DAYS } from '../../../../src/contract/limits.ts'
import { remembered as texts } from '../../../../src/texts/english/search-results.ts'
import { useFocusAfter } from '../../../lib/focus.ts'
import { formatDate } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { LockIcon } from '../../../ui/more-icons.tsx'
import { Sentence } from '../../../ui/sentence.tsx'
import { isNotKept } from './found.ts'
import { useFound, useSearch } from './use-search.tsx'

/** Lets the visitor come back without a selfie, or says that this is already so and how to end it. */
export function RememberedOffer() {
  const { state, dispatch, forgetMe } = useSearch()
  const found = useFound()
  /** When what the browser keeps ends; undefined while it keeps nothing. */
  const endsAt = found.person.isToRemember ? state.remembered?.endsAt : undefined
  const isSaving = isNotKept(found)
  const heading = useFocusAfter<HTMLHeadingElement>(endsAt === undefined)

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
          onClick={() => dispatch({ type: 'to remember' })}
        >
          <span>
            <Sentence
              of={texts.remember(
                <>
                  <span className="not-pointer-coarse:hidden">{texts.phone}</span>
                  <span className="pointer-coarse:hidden">{texts.computer}</span>
                </>,
              )}
            />
          </span>
        </Button>
      ) : (
        <Button look="secondary" className="max-sm:w-full" onClick={forgetMe}>
          {texts.forget}
        </Button>
      )}
    </section>
  )
}
