import { ownerLink } from '../../../src/contract/albums/owner-link.ts'
import { logOut as texts } from '../../../src/texts/english/organiser.ts'
import type { Organiser } from '../../lib/persisted.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyLine } from '../../ui/copy-line.tsx'

export interface LogOutDialogProps {
  /** The albums whose owner keys this browser will forget; none when it has no key to the album. */
  albums: readonly Organiser[]
  /** Whether the organiser leaves all albums. */
  isAll?: boolean
  onStay: () => void
  onLeave: () => void
}

/** Asks an organiser before the browser forgets owner keys, and shows the ways back. */
export function LogOutDialog({ albums, isAll = false, onStay, onLeave }: LogOutDialogProps) {
  return (
    <ConfirmDialog
      title={isAll ? texts.ofAllAsOrganiser : texts.asOrganiser}
      stay={{ label: texts.stay, onClick: onStay }}
      leave={{ label: isAll ? texts.logOutOfAll : texts.logOut, onClick: onLeave }}
    >
      {albums.length === 0 && <p>{texts.wayBack}</p>}
      {albums.length > 0 && <p>{isAll ? texts.lastWaysBack : texts.lastWayBack}</p>}
      {albums.map((album) => (
        <WayBack key={album.userAlbumId} album={album} isNamed={isAll} />
      ))}
    </ConfirmDialog>
  )
}

/** Nobody knows the address of an album that has not been opened since its key was saved. */
function WayBack({ album, isNamed }: { album: Organiser; isNamed: boolean }) {
  const { eventName, userAlbumSlug, userAlbumId } = album
  return (
    <>
      {isNamed && (
        <p dir="auto" className="mt-4 font-medium break-words text-ink">
          {eventName}
        </p>
      )}
      {userAlbumSlug !== undefined && (
        <CopyLine name={texts.privateLink} value={location.origin + ownerLink(userAlbumSlug, userAlbumId)} />
      )}
    </>
  )
}
