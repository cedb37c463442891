import { useState } from 'react'
import { PAGES } from '../../src/contract/pages.ts'
import { useDevice as texts } from '../../src/texts/english/desk/desk-settings.ts'
import * as pageTitles from '../../src/texts/english/page-titles.ts'
import { forEachLink, LinkPage, readLetterLink } from '../features/letters/link-page.tsx'
import { namedAlbumOfSession } from '../features/own-albums/album-of-session.ts'
import { keepAlbum } from '../lib/keep-albums.ts'
import { usePageHead } from '../lib/page-head.ts'
import { trpc } from '../trpc.ts'

export default forEachLink(AddDevicePage)

/** A code that another device shows leads here. It works once, so it is used by a press: what looks at a link presses no button. */
function AddDevicePage() {
  usePageHead(PAGES.addDevice, pageTitles.addDevice)
  const [token] = useState(() => readLetterLink().fragment)
  const { albums, client } = trpc.useUtils()
  const call = trpc.albums.useDeviceLink.useMutation({
    async onSuccess({ album: { albumName } }) {
      await albums.invalidate()
      // Without the key the album still opens here for as long as the cookie lasts.
      const album = await namedAlbumOfSession(client, albumName).catch(() => null)
      if (album) keepAlbum(album)
    },
  })
  const { title, text, label, busy, failed } = texts
  return (
    <LinkPage
      token={token}
      question={{ title, text, label, busy, failed }}
      call={call}
      texts={texts}
      outcome={({ album }) => ({
        title: texts.done,
        text: texts.doneText,
        album: { albumName: album.albumName, label: texts.open },
      })}
    />
  )
}
