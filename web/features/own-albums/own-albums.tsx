import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { yourAlbums as texts } from '../../../src/texts/english/landing.ts'
import { logOut as leaving } from '../../../src/texts/english/organiser.ts'
import { failureText } from '../../lib/failure.ts'
import { focusContent } from '../../lib/focus.ts'
import { forgetAlbum, forgetAllAlbums } from '../../lib/keep-albums.ts'
import { tellLoggedOut } from '../../lib/log-out-news.ts'
import { readOwnAlbums } from '../../lib/own-albums.ts'
import { forgetGuest, type Organiser } from '../../lib/persisted.ts'
import { trpc } from '../../trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { toast } from '../../ui/toast-store.ts'
import { LogOutDialog } from './log-out-dialog.tsx'
import { YourAlbums } from './your-albums.tsx'

/** The organiser's albums of this browser, with the ways out of them. Nothing without an album. */
export function OwnAlbums() {
  const utils = trpc.useUtils()
  const [albums, setAlbums] = useState(readOwnAlbums)
  /** The album to leave, or null for all. */
  const [asksOf, setAsksOf] = useState<Organiser | null>()

  const { mutate: logOut, isPending } = useMutation({
    onMutate: () => setAsksOf(undefined),
    async mutationFn(left: Organiser | null) {
      // A log-out without a name is one of all albums.
      const albumName = left?.userAlbumSlug
      await utils.client.albums.logOut.mutate({ albumName })
      if (left) forgetAlbum(left.userAlbumId)
      else forgetAllAlbums()
      forgetGuest(albumName)
      tellLoggedOut(albumName)
    },
    onSuccess(_, left) {
      setAlbums(readOwnAlbums())
      const description = left ? leaving.hasLeft(left.eventName) : leaving.hasLeftAll
      toast({ title: leaving.loggedOut, description, tone: 'success' })
      void utils.albums.invalidate()
      focusContent()
    },
    onError: (error) => toast({ title: leaving.failed, description: failureText(error), tone: 'error' }),
  })

  if (albums.length === 0) return null
  return (
    <Card aria-labelledby="your-albums" className="mb-6">
      <YourAlbums
        albums={albums}
        beside={(album) =>
          // The service has to know which one. An album has a name as soon as its upload page was opened.
          album.userAlbumSlug !== undefined && (
            <Button
              look="quiet"
              className="shrink-0"
              aria-label={texts.logOutOf(album.eventName)}
              disabled={isPending}
              onClick={() => setAsksOf(album)}
            >
              {leaving.logOut}
            </Button>
          )
        }
      />
      {albums.length > 1 && (
        <Button look="quiet" className="mt-3 -ml-4" disabled={isPending} onClick={() => setAsksOf(null)}>
          {leaving.logOutOfAll}
        </Button>
      )}
      {asksOf !== undefined && (
        <LogOutDialog
          albums={asksOf ? [asksOf] : albums}
          isAll={asksOf === null}
          onStay={() => setAsksOf(undefined)}
          onLeave={() => logOut(asksOf)}
        />
      )}
    </Card>
  )
}
