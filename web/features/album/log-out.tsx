import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { EnteredAlbum } from '../../../src/contract/albums.ts'
import { ownerLink } from '../../../src/contract/owner-link.ts'
import { failureText } from '../../lib/failure.ts'
import { forgetOrganiser } from '../../lib/save-values.ts'
import { readOrganiser } from '../../lib/saved-values.ts'
import { trpc } from '../../trpc.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyLine } from '../../ui/copy-line.tsx'
import { toast } from '../../ui/toast-store.ts'

export interface LogOutProps {
  album: EnteredAlbum
  onLoggedOut: () => void
}

/** Guests know the password, so they log out at once. The owner is asked first, because the browser also forgets the
 *  owner key: with it the next visit would enter again. */
export function LogOut({ album, onLoggedOut }: LogOutProps) {
  const { client } = trpc.useUtils()
  /** The saved key of this album, or null when the browser has none; undefined while nothing is asked. */
  const [savedKey, setSavedKey] = useState<string | null>()

  const { mutate: logOut, isPending } = useMutation({
    async mutationFn({ forgetsKey }: { forgetsKey: boolean }) {
      await client.albums.logOut.mutate({ albumName: album.albumName })
      if (forgetsKey) forgetOrganiser()
    },
    onSuccess() {
      toast({ title: 'Logged out', description: `You have left ${album.displayName}`, tone: 'success' })
      onLoggedOut()
    },
    onError: (error) => toast({ title: 'Could not log out', description: failureText(error), tone: 'error' }),
  })

  async function ask() {
    if (!album.isOwner) return logOut({ forgetsKey: false })
    setSavedKey(await findSavedKey())
  }

  function leave() {
    setSavedKey(undefined)
    logOut({ forgetsKey: savedKey !== null })
  }

  async function findSavedKey(): Promise<string | null> {
    const saved = readOrganiser()
    if (!saved) return null
    // Older versions did not save which album the key belongs to.
    const slug = saved.userAlbumSlug ?? (await albumOf(saved.userAlbumId))
    return slug === album.albumName ? saved.userAlbumId : null
  }

  async function albumOf(ownerKey: string): Promise<string | undefined> {
    try {
      return (await client.albums.enterAsOwner.mutate({ ownerKey })).album.albumName
    } catch {
      // A key that is no longer valid enters nothing.
      return undefined
    }
  }

  return (
    <div className="mt-10 flex justify-center">
      <Button look="quiet" busy={isPending} disabled={isPending} onClick={ask}>
        Log out
      </Button>
      {savedKey !== undefined && (
        <ConfirmDialog
          title="Log out as the organiser?"
          stay={{ label: 'Stay logged in', onClick: () => setSavedKey(undefined) }}
          leave={{ label: 'Log out', onClick: leave }}
        >
          <AfterLogOut privateLink={savedKey && location.origin + ownerLink(album.albumName, savedKey)} />
        </ConfirmDialog>
      )}
    </div>
  )
}

function AfterLogOut({ privateLink }: { privateLink: string | null }) {
  if (!privateLink)
    return (
      <p>
        To come back as the organiser, use the browser in which you created the album, or your private link.
        With the password you come back as a guest.
      </p>
    )
  return (
    <>
      <p>
        This browser then forgets the key to your album. To come back as the organiser, or to add photos, you
        need your private link. Keep it, and share it with nobody:
      </p>
      <CopyLine name="private link" value={privateLink} />
    </>
  )
}
