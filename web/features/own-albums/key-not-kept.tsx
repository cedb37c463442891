import { ownerLink } from '../../../src/contract/owner-link.ts'
import { logOut, keyNotKept as texts } from '../../../src/texts/english.ts'
import type { Organiser } from '../../lib/saved-values.ts'
import { CopyLine } from '../../ui/copy-line.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Says that the browser saves nothing.
 *  @param album the one that was created all the same, if any: its key is shown, because nothing else has it */
export function KeyNotKept({ album }: { album: Organiser | null }) {
  return (
    <Notice tone="error" title={texts.title}>
      <p>{texts.text}</p>
      {album?.userAlbumSlug !== undefined && (
        <>
          <p className="mt-3">{texts.created}</p>
          <CopyLine
            name={logOut.privateLink}
            value={location.origin + ownerLink(album.userAlbumSlug, album.userAlbumId)}
          />
        </>
      )}
    </Notice>
  )
}
