import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { EnteredAlbum } from '../../../src/contract/albums/albums.ts'
import { nothingUploaded, uploadHere as texts } from '../../../src/texts/english/upload-here.ts'
import { keepAlbum } from '../../lib/keep-albums.ts'
import { readOrganiser } from '../../lib/own-albums.ts'
import { trpc } from '../../trpc.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { Notice } from '../../ui/notice.tsx'
import { albumOfSession } from './album-of-session.ts'

export interface UploadHereProps {
  album: EnteredAlbum
  text: string
  /** Of the link. */
  label: string
  /** What else the owner may do, beside the link. */
  children?: ReactNode
}

/** Leads an album's owner to its upload page, or says why this browser cannot upload to it. */
export function UploadHere({ album, text, label, children }: UploadHereProps) {
  const { client } = trpc.useUtils()
  // The upload page uploads with the owner key to the album in hand. A browser without one may have lost it, and not the
  // session, so it gets one.
  const { data: isKept, isLoading } = useQuery({
    queryKey: ['own key', album.id],
    gcTime: 0,
    queryFn: async () => keepAlbum(readOrganiser(album.albumName) ?? (await albumOfSession(client, album))),
  })
  return (
    <>
      <p>{isKept || isLoading ? text : isKept === false ? texts.notKept : texts.otherBrowser}</p>
      <div className="mt-4 flex flex-wrap gap-3 empty:hidden">
        {isKept && (
          <Link
            to="/bulk-upload"
            search={{ album: album.albumName }}
            className={`${buttonLook()} max-sm:w-full`}
          >
            {label}
          </Link>
        )}
        {children}
      </div>
    </>
  )
}

/** Says that an album is empty. Its owner gets a link to the upload page. */
export default function NothingUploaded({ album }: { album: EnteredAlbum }) {
  return (
    <Notice title={nothingUploaded.title}>
      {album.isOwner ? (
        <UploadHere album={album} text={nothingUploaded.here} label={nothingUploaded.upload} />
      ) : (
        <p>{nothingUploaded.forGuests}</p>
      )}
    </Notice>
  )
}
