import { useState } from 'react'
import { PAGES } from '../../src/contract/pages.ts'
import { stopLetters as texts } from '../../src/texts/english/opt-outs.ts'
import * as pageTitles from '../../src/texts/english/page-titles.ts'
import { forEachLink, LinkPage, readLetterLink } from '../features/letters/link-page.tsx'
import { usePageHead } from '../lib/page-head.ts'
import { trpc } from '../trpc.ts'

export default forEachLink(StopLettersPage)

function StopLettersPage() {
  usePageHead(PAGES.stopLetters, pageTitles.stopLetters)
  // Both can only end these letters.
  const [token] = useState(() => readLetterLink().fragment || readLetterLink().queryToken)
  const { title, text, stop: label, stopping: busy, failed } = texts
  return (
    <LinkPage
      token={token}
      question={{ title, text, label, busy, failed }}
      call={trpc.letters.stop.useMutation()}
      texts={texts}
      outcome={({ hadEnded }) => ({
        title: hadEnded ? texts.hadStopped : texts.stopped,
        text: texts.stoppedText,
      })}
    />
  )
}
