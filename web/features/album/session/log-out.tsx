import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { EnteredAlbum } from '../../../../src/contract/albums/albums.ts'
import { logOut as texts } from '../../../../src/texts/english/organiser.ts'
import { failureText } from '../../../lib/failure.ts'
import { forgetAlbum } from '../../../lib/keep-albums.ts'
import { readOrganiser } from '../../../lib/own-albums.ts'
import type { Organiser } from '../../../lib/persisted.ts'
import { trpc } from '../../../trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast-store.ts'
import { LogOutDialog } from '../../own-albums/log-out-dialog.tsx'

export interface LogOutProps {
  album: EnteredAlbum
  onLoggedOut: () => void
}

/** Guests know the password, so they log out at once. The owner is asked first, because the browser also forgets the
 *  owner key: with it the next visit would enter again. */
export default function LogOut({ album, onLoggedOut }: LogOutProps) {
  const { client } = trpc.useUtils()
  /** What the browser has of this album, or null when it has no key to it; undefined while nothing is asked. */
  const [own, setOwn] = useState<Organiser | null>()

  const { mutate: logOut, isPending } = useMutation({
    async mutationFn(forgotten: Organiser | null) {
      await client.albums.logOut.mutate({ albumName: album.albumName })
      if (forgotten) forgetAlbum(forgotten.userAlbumId)
    },
    onSuccess() {
      toast({ title: texts.loggedOut, description: texts.hasLeft(album.displayName), tone: 'success' })
      onLoggedOut()
    },
    onError: (error) => toast({ title: texts.failed, description: failureText(error), tone: 'error' }),
  })

  return (
    <div className="mt-10 flex justify-center">
      <Button
        look="quiet"
        busy={isPending}
        disabled={isPending}
        onClick={() => (album.isOwner ? setOwn(readOrganiser(album.albumName)) : logOut(null))}
      >
        {texts.logOut}
      </Button>
      {own !== undefined && (
        <LogOutDialog
          albums={own ? [own] : []}
          onStay={() => setOwn(undefined)}
          onLeave={() => {
            setOwn(undefined)
            logOut(own)
          }}
        />
      )}
    </div>
  )
}
