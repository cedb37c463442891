import { Link } from '@tanstack/react-router'
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
    <Notice title="Nothing has been uploaded yet">
      {!isOwner && <p>The album opens by itself when its owner has uploaded the photos.</p>}
      {isOwner && savedAlbum === 'this' && (
        <>
          <p>Upload your photos. This page then shows the progress.</p>
          <Link to="/bulk-upload" className={`${buttonLook()} mt-4`}>
            Upload photos
          </Link>
        </>
      )}
      {isOwner && savedAlbum === 'none' && (
        <p>Upload your photos in the browser in which you created this album.</p>
      )}
      {isOwner && savedAlbum === 'another' && (
        <p>
          This browser uploads to the album that you created last. To upload to this one, please create it
          again.
        </p>
      )}
    </Notice>
  )
}
