import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { EnteredAlbum } from '../../../../src/contract/albums.ts'
import { nothingUploaded, uploadHere as texts } from '../../../../src/texts/english.ts'
import { keepAlbum } from '../../../lib/save-values.ts'
import { trpc } from '../../../trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { buttonLook } from '../../../ui/button-look.ts'
import { Notice } from '../../../ui/notice.tsx'
import { albumOfSession } from '../../own-albums/album-of-session.ts'
import type { KeptKey } from './keep-key.ts'

export interface UploadHereProps {
  album: EnteredAlbum
  keptKey: KeptKey
  text: string
  /** Of the link. */
  label: string
  /** What else the owner may do, beside the link. */
  children?: ReactNode
}

/** Leads an album's owner to its upload page, or says why this browser cannot upload to it. */
export function UploadHere({ album, text, label, children, ...props }: UploadHereProps) {
  const keptKey = useKeyOfSession(album, props.keptKey)
  const hasKey = keptKey === 'kept' || keptKey === 'asking'
  return (
    <>
      <p>{hasKey ? text : keptKey === 'none' ? texts.otherBrowser : texts.notKept}</p>
      {(hasKey || children) && (
        <div className="mt-4 flex flex-wrap gap-3">
          {keptKey === 'asking' && (
            <Button className="max-sm:w-full" disabled>
              {label}
            </Button>
          )}
          {keptKey === 'kept' && (
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
      )}
    </>
  )
}

/** Gets and saves a key for a browser that has none: it may have lost it, and not the session. */
function useKeyOfSession(album: EnteredAlbum, keptKey: KeptKey): KeptKey {
  const { client } = trpc.useUtils()
  const { data, isLoading } = useQuery<KeptKey>({
    queryKey: ['keyOfSession', album.id],
    enabled: keptKey === 'none',
    gcTime: 0,
    queryFn: async () => (keepAlbum(await albumOfSession(client, album)) ? 'kept' : 'not-kept'),
  })
  if (keptKey !== 'none') return keptKey
  return isLoading ? 'asking' : (data ?? 'none')
}

/** Says that an album is empty. Its owner gets a link to the upload page. */
export default function NothingUploaded(props: { album: EnteredAlbum; keptKey: KeptKey }) {
  return (
    <Notice title={nothingUploaded.title}>
      {props.album.isOwner ? (
        <UploadHere {...props} text={nothingUploaded.here} label={nothingUploaded.upload} />
      ) : (
        <p>{nothingUploaded.forGuests}</p>
      )}
    </Notice>
  )
}
