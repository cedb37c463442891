import { Link } from '@tanstack/react-router'
import { countOf } from '../../lib/format.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { Notice } from '../../ui/notice.tsx'
import { ReasonList } from '../photos/reason-list.tsx'
import {
  type EndedUpload,
  isAlreadyThere,
  notStored,
  photosInAlbum,
  photosThereBefore,
} from './ended-upload.ts'
import { InView } from './in-view.tsx'
import { alreadyInAlbum, missingPhotos, TRY_AGAIN, whyFailed } from './messages.ts'
import type { BulkUploadState } from './use-bulk-upload.ts'

/** The success card or the error card at the end of an upload, with every file that is not stored. */
export function UploadOutcome({ state }: { state: BulkUploadState }) {
  if (state.phase === 'success') return <Success upload={state} />
  if (state.phase === 'error') return <Failure upload={state.ended} />
  return null
}

function Success({ upload }: { upload: EndedUpload }) {
  const { stopped } = upload.result
  const missing = notStored(upload.result)
  const before = photosThereBefore(upload)
  const alreadyThere = isAlreadyThere(upload)
  const count = photosInAlbum(upload)
  return (
    <Notice
      tone="success"
      title={alreadyThere ? alreadyInAlbum(count) : `${countOf(count, 'photo')} uploaded`}
    >
      {stopped && (
        <p>
          {missingPhotos(missing.length)}. {stopped.message}
        </p>
      )}
      <p>
        {before > 0 &&
          !alreadyThere &&
          `${countOf(before, 'photo')} of them ${before === 1 ? 'was' : 'were'} in the album before. `}
        Taking you to the next step…
      </p>
      <ReasonList files={missing} />
    </Notice>
  )
}

function Failure({ upload }: { upload: EndedUpload | null }) {
  return (
    <InView>
      <Notice tone="error" title="Upload failed">
        <p>{upload ? whyFailed(upload) : TRY_AGAIN}</p>
        {upload?.result.stopped?.albumLost && (
          <Link to="/get-started" className={`${buttonLook('primary')} mt-4`}>
            Create a new album
          </Link>
        )}
        {upload && <ReasonList files={notStored(upload.result)} />}
      </Notice>
    </InView>
  )
}
