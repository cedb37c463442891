import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { EnteredAlbum } from '../../../src/contract/albums.ts'
import { ownerLink } from '../../../src/contract/owner-link.ts'
import { logOut as texts } from '../../../src/texts/english.ts'
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
export default function LogOut({ album, onLoggedOut }: LogOutProps) {
  const { client } = trpc.useUtils()
  /** The saved key of this album, or null when the browser has none; undefined while nothing is asked. */
  const [savedKey, setSavedKey] = useState<string | null>()

  const { mutate: logOut, isPending } = useMutation({
    async mutationFn({ forgetsKey }: { forgetsKey: boolean }) {
      await client.albums.logOut.mutate({ albumName: album.albumName })
      if (forgetsKey) forgetOrganiser()
    },
    onSuccess() {
      toast({ title: texts.loggedOut, description: texts.hasLeft(album.displayName), tone: 'success' })
      onLoggedOut()
    },
    onError: (error) => toast({ title: texts.failed, description: failureText(error), tone: 'error' }),
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
        {texts.logOut}
      </Button>
      {savedKey !== undefined && (
        <ConfirmDialog
          title={texts.asOrganiser}
          stay={{ label: texts.stay, onClick: () => setSavedKey(undefined) }}
          leave={{ label: texts.logOut, onClick: leave }}
        >
          <AfterLogOut privateLink={savedKey && location.origin + ownerLink(album.albumName, savedKey)} />
        </ConfirmDialog>
      )}
    </div>
  )
}

function AfterLogOut({ privateLink }: { privateLink: string | null }) {
  if (!privateLink) return <p>{texts.wayBack}</p>
  return (
    <>
      <p>{texts.lastWayBack}</p>
      <CopyLine name={texts.privateLink} value={privateLink} />
    </>
  )
}
