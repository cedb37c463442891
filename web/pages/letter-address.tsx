import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { PAGES } from '../../src/contract/pages.ts'
import { pageTitles } from '../../src/texts/english/common.ts'
import { letterAddress as texts } from '../../src/texts/english/opt-outs.ts'
import { CutOffLink } from '../features/letters/cut-off-link.tsx'
import { forEachLink } from '../features/letters/for-each-link.tsx'
import { LinkOutcome } from '../features/letters/link-outcome.tsx'
import { LinkQuestion, type Question } from '../features/letters/link-question.tsx'
import { readLetterLink } from '../features/letters/read-letter-link.ts'
import { failureOf, serverMessage } from '../lib/failure.ts'
import { usePageHead } from '../lib/page-head.ts'
import { trpc } from '../trpc.ts'
import { buttonLook } from '../ui/button-look.ts'
import { Sentence } from '../ui/sentence.tsx'

export default forEachLink(LetterAddressPage)

/** Here the letters about an album get another address. */
function LetterAddressPage() {
  usePageHead(PAGES.letterAddress, pageTitles.letterAddress)
  const [token] = useState(() => readLetterLink().fragment)
  const confirm = trpc.letters.confirmNewAddress.useMutation()
  const status = failureOf(confirm.error)?.status

  if (token === '') return <CutOffLink />
  if (status === 404)
    return (
      <LinkOutcome isGood={false} title={texts.unknownLink}>
        {texts.unknownLinkText}
      </LinkOutcome>
    )
  if (status === 409)
    return (
      <LinkOutcome isGood={false} title={texts.tooLate}>
        {serverMessage(confirm.error)}
      </LinkOutcome>
    )
  if (confirm.data) {
    const { displayName, albumName } = confirm.data
    return (
      <LinkOutcome
        isGood
        title={texts.confirmed}
        action={
          <Link to="/album/$albumName" params={{ albumName }} className={buttonLook('secondary')}>
            {texts.openAlbum}
          </Link>
        }
      >
        <Sentence of={texts.confirmedText(displayName, (name) => <bdi>{name}</bdi>)} />
      </LinkOutcome>
    )
  }
  return (
    <LinkQuestion
      question={QUESTION}
      isBusy={confirm.isPending}
      error={confirm.error}
      onYes={() => confirm.mutate({ token })}
    />
  )
}

const QUESTION: Question = {
  title: texts.title,
  text: texts.text,
  label: texts.yes,
  busy: texts.confirming,
  failed: texts.notConfirmed,
}
