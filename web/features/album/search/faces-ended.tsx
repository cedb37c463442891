import type { ReactNode } from 'react'
import type { EnteredAlbum } from '../../../../src/contract/albums/albums.ts'
import { facesEnded as texts } from '../../../../src/texts/english/album-progress.ts'
import { formatDate } from '../../../lib/format.ts'
import { Notice } from '../../../ui/notice.tsx'
import { SeeAllLink } from '../browse/browse-link.tsx'

interface FacesEndedProps {
  album: EnteredAlbum
  since: string
  children: ReactNode
}

/** In place of the search, when the faces of the album are gone. */
export default function FacesEnded({ album, since, children }: FacesEndedProps) {
  return (
    <div className="mx-auto max-w-read space-y-6">
      <Notice title={texts.title}>{texts.text(formatDate(since))}</Notice>
      {(album.isOwner || album.browsing === 'on') && <SeeAllLink albumName={album.albumName} />}
      {children}
    </div>
  )
}
