import { Link } from '@tanstack/react-router'
import { nothingUploaded as texts } from '../../../src/texts/english.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { Notice } from '../../ui/notice.tsx'
import type { SavedAlbum } from './use-visit.ts'

export interface NothingUploadedProps {
  isOwner: boolean
  /** Which album this browser would upload to. */
  savedAlbum: SavedAlbum
}

/** Says that an album is empty. Its owner gets a link to the upload page. */
export function NothingUploaded({ isOwner, savedAlbum }: NothingUploadedProps) {
  return (
    <Notice title={texts.title}>
      {!isOwner && <p>{texts.forGuests}</p>}
      {isOwner && savedAlbum === 'this' && (
        <>
          <p>{texts.here}</p>
          <Link to="/bulk-upload" className={`${buttonLook()} mt-4`}>
            {texts.upload}
          </Link>
        </>
      )}
      {isOwner && savedAlbum === 'none' && <p>{texts.otherBrowser}</p>}
      {isOwner && savedAlbum === 'another' && <p>{texts.otherAlbum}</p>}
    </Notice>
  )
}
