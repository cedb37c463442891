import { letterAddress as texts } from '../../src/texts/english/opt-outs.ts'
import { aboutAlbum, LinkPage, letterPage } from '../features/letters/link-page.tsx'
import { trpc } from '../trpc.ts'

/** Here the letters about an album get another address. */
export default letterPage(({ fragment }) => (
  <LinkPage
    token={fragment}
    call={trpc.letters.confirmNewAddress.useMutation()}
    texts={texts}
    outcome={({ displayName, albumName }) => ({
      title: texts.done,
      text: aboutAlbum((name) => texts.doneText(displayName, name)),
      albumName,
    })}
  />
))
