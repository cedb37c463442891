import { Link } from '@tanstack/react-router'
import { REMEMBERED_DAYS } from '../../../../src/contract/limits.ts'
import { formerSearch } from '../../../../src/texts/english/search.ts'
import { remembered as texts } from '../../../../src/texts/english/search-results.ts'
import { useFocusAfter } from '../../../lib/focus.ts'
import { formatDate } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { LockIcon } from '../../../ui/more-icons.tsx'
import { isNotKept } from './found.ts'
import { OfferCard } from './offer-card.tsx'
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
    <OfferCard
      id="remember"
      icon={<LockIcon className="size-5 shrink-0 text-ink-soft" />}
      title={endsAt === undefined ? texts.offer : texts.offerTaken}
      heading={heading}
      text={
        <>
          <span>
            {endsAt === undefined ? texts.keeps(REMEMBERED_DAYS) : texts.keepsUntil(formatDate(endsAt))}
          </span>{' '}
          <Link
            to="/privacy-policy"
            className="underline decoration-line-strong underline-offset-4 hover:text-ink"
          >
            {texts.privacy}
          </Link>
        </>
      }
      action={
        endsAt === undefined ? (
          <Button
            look="secondary"
            busy={isSaving}
            disabled={isSaving}
            onClick={() => dispatch({ type: 'to remember' })}
          >
            {texts.remember}
          </Button>
        ) : (
          <Button look="secondary" onClick={forgetMe}>
            {formerSearch.forget}
          </Button>
        )
      }
    />
  )
}
