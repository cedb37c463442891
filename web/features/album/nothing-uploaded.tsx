import { nothingUploaded as texts } from '../../../src/texts/english.ts'
import { Notice } from '../../ui/notice.tsx'
import type { KeptKey } from './keep-key.ts'
import { UploadHere } from './upload-here.tsx'

export interface NothingUploadedProps {
  albumName: string
  isOwner: boolean
  keptKey: KeptKey
}

/** Says that an album is empty. Its owner gets a link to the upload page. */
export default function NothingUploaded({ albumName, isOwner, keptKey }: NothingUploadedProps) {
  return (
    <Notice title={texts.title}>
      {isOwner ? (
        <UploadHere albumName={albumName} keptKey={keptKey} text={texts.here} label={texts.upload} />
      ) : (
        <p>{texts.forGuests}</p>
      )}
    </Notice>
  )
}
