import { useState } from 'react'
import { PAGES } from '../../src/contract/pages.ts'
import { photoLetters as texts } from '../../src/texts/english/opt-outs.ts'
import * as pageTitles from '../../src/texts/english/page-titles.ts'
import { aboutAlbum, forEachLink, LinkPage, readLetterLink } from '../features/letters/link-page.tsx'
import { formatDate } from '../lib/format.ts'
import { usePageHead } from '../lib/page-head.ts'
import { trpc } from '../trpc.ts'

export default forEachLink(PhotoLettersPage)

/** Here guests confirm that they want letters about new photos of them, and end these letters. */
function PhotoLettersPage() {
  usePageHead(PAGES.photoLetters, pageTitles.photoLetters)
  const [{ use, token }] = useState(readLink)
  const confirm = trpc.alerts.confirm.useMutation()
  const end = trpc.alerts.end.useMutation()
  if (use === 'confirm')
    return (
      <LinkPage
        token={token}
        question={CONFIRM}
        call={confirm}
        texts={texts}
        outcome={({ displayName, albumName, endsAt }) => ({
          title: texts.confirmed,
          text: aboutAlbum((name) => texts.confirmedText(displayName, formatDate(endsAt), name)),
          album: { albumName, label: texts.openAlbum },
        })}
      />
    )
  return (
    <LinkPage
      token={token}
      question={{ ...END, ...(use === 'refuse' && { title: texts.refuse, text: texts.refuseText }) }}
      call={end}
      texts={texts}
      outcome={() => ({ title: texts.ended, text: texts.endedText })}
    />
  )
}

const CONFIRM = {
  title: texts.confirm,
  text: texts.confirmText,
  label: texts.yes,
  busy: texts.confirming,
  failed: texts.notConfirmed,
}
const END = {
  title: texts.end,
  text: texts.endText,
  label: texts.endLetters,
  busy: texts.ending,
  failed: texts.notEnded,
}

/** The address in a letter's header ends the letters. */
function readLink(): { use: string; token: string } {
  const { fragment, queryToken } = readLetterLink()
  const [, use, token] = /^(confirm|end|refuse)=(.*)$/.exec(fragment) ?? []
  return use && token ? { use, token } : { use: 'end', token: queryToken }
}
