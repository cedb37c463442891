import type { EnteredAlbum } from '../../../src/contract/albums.ts'
import { nothingUploaded as texts } from '../../../src/texts/english/album.ts'
import { Notice } from '../../ui/notice.tsx'
import type { KeptKey } from './keep-key.ts'
import { UploadHere } from './upload-here.tsx'

export interface NothingUploadedProps {
  album: EnteredAlbum
  keptKey: KeptKey
}

/** Says that an album is empty. Its owner gets a link to the upload page. */
export default function NothingUploaded({ album, keptKey }: NothingUploadedProps) {
  return (
    <Notice title={texts.title}>
      {album.isOwner ? (
        <UploadHere album={album} keptKey={keptKey} text={texts.here} label={texts.upload} />
      ) : (
        <p>{texts.forGuests}</p>
      )}
    </Notice>
  )
}
