import { useDevice as texts } from '../../src/texts/english/desk/desk-settings.ts'
import { LinkPage, letterPage } from '../features/letters/link-page.tsx'
import { namedAlbumOfSession } from '../features/own-albums/album-of-session.ts'
import { keepAlbum } from '../lib/keep-albums.ts'
import { trpc } from '../trpc.ts'

/** A code that another device shows leads here. It works once, so it is used by a press: what looks at a link presses no button. */
export default letterPage(({ fragment }) => {
  const { albums, client } = trpc.useUtils()
  const call = trpc.albums.useDeviceLink.useMutation({
    async onSuccess({ album: { albumName } }) {
      await albums.invalidate()
      // Without the key the album still opens here for as long as the cookie lasts.
      const album = await namedAlbumOfSession(client, albumName).catch(() => null)
      if (album) keepAlbum(album)
    },
  })
  return (
    <LinkPage
      token={fragment}
      call={call}
      texts={texts}
      outcome={({ album: { albumName } }) => ({ title: texts.done, text: texts.doneText, albumName })}
    />
  )
})
