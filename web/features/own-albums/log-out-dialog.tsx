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
      <p>{albums.length === 0 ? texts.wayBack : isAll ? texts.lastWaysBack : texts.lastWayBack}</p>
      {albums.map(({ userAlbumId, eventName, userAlbumSlug }) => (
        <div key={userAlbumId}>
          {isAll && (
            <p dir="auto" className="mt-4 font-medium break-words text-ink">
              {eventName}
            </p>
          )}
          {userAlbumSlug !== undefined && (
            <CopyLine
              name={texts.privateLink}
              value={location.origin + ownerLink(userAlbumSlug, userAlbumId)}
            />
          )}
        </div>
      ))}
    </ConfirmDialog>
  )
}
