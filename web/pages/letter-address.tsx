import { useState } from 'react'
import { PAGES } from '../../src/contract/pages.ts'
import { letterAddress as texts } from '../../src/texts/english/opt-outs.ts'
import * as pageTitles from '../../src/texts/english/page-titles.ts'
import { aboutAlbum, forEachLink, LinkPage, readLetterLink } from '../features/letters/link-page.tsx'
import { usePageHead } from '../lib/page-head.ts'
import { trpc } from '../trpc.ts'

export default forEachLink(LetterAddressPage)

/** Here the letters about an album get another address. */
function LetterAddressPage() {
  usePageHead(PAGES.letterAddress, pageTitles.letterAddress)
  const [token] = useState(() => readLetterLink().fragment)
  const { title, text, yes: label, confirming: busy, notConfirmed: failed } = texts
  return (
    <LinkPage
      token={token}
      question={{ title, text, label, busy, failed }}
      call={trpc.letters.confirmNewAddress.useMutation()}
      texts={texts}
      outcome={({ displayName, albumName }) => ({
        title: texts.confirmed,
        text: aboutAlbum((name) => texts.confirmedText(displayName, name)),
        album: { albumName, label: texts.openAlbum },
      })}
    />
  )
}
