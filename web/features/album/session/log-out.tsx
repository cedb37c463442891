import { useState } from 'react'
import type { EnteredAlbum } from '../../../../src/contract/albums/albums.ts'
import { logOut as texts } from '../../../../src/texts/english/organiser.ts'
import { failureText } from '../../../lib/failure.ts'
import { forgetAlbum } from '../../../lib/keep-albums.ts'
import { readOrganiser } from '../../../lib/own-albums.ts'
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
  const { albumName, displayName, isOwner } = album
  const [isAsking, setIsAsking] = useState(false)
  const own = isOwner ? readOrganiser(albumName) : null
  const { mutate, isPending } = trpc.albums.logOut.useMutation({
    onSuccess() {
      if (own) forgetAlbum(own.userAlbumId)
      toast({ title: texts.loggedOut, description: texts.hasLeft(displayName), tone: 'success' })
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
        onClick={() => (isOwner ? setIsAsking(true) : mutate({ albumName }))}
      >
        {texts.logOut}
      </Button>
      {isAsking && (
        <LogOutDialog
          albums={own ? [own] : []}
          onStay={() => setIsAsking(false)}
          onLeave={() => {
            setIsAsking(false)
            mutate({ albumName })
          }}
        />
      )}
    </div>
  )
}
