import { Link } from '@tanstack/react-router'
import type { FileVerdict } from '../../../src/contract/photos.ts'
import { countOf } from '../../lib/format.ts'
import { Notice } from '../../ui/notice.tsx'
import { ReasonList } from '../photos/reason-list.tsx'
import { InView } from './in-view.tsx'
import type { BulkUploadState } from './use-bulk-upload.ts'

/** The success card or the error card at the end of an upload, with every file that is not stored. */
export function UploadOutcome({ state }: { state: BulkUploadState }) {
  if (state.phase === 'success') {
    const { successful, files } = state.result
    const duplicates = state.known + files.filter((file) => file.status === 'duplicate').length
    return (
      <Notice tone="success" title={`${countOf(state.known + successful, 'photo')} uploaded`}>
        <p>
          {duplicates > 0 && `${countOf(duplicates, 'photo')} of these the album had already. `}
          Taking you to the next step…
        </p>
        <ReasonList files={notStored(files)} />
      </Notice>
    )
  }
  if (state.phase === 'error') {
    const { stopped, files = [] } = state.result ?? {}
    return (
      <InView>
        <Notice tone="error" title="Upload failed">
          <p>{stopped ? stopped.message : 'Please try again or check your internet connection'}</p>
          {stopped?.albumLost && (
            <Link
              to="/get-started"
              className="inline-flex min-h-11 items-center font-semibold text-ink underline underline-offset-4"
            >
              Create a new album
            </Link>
          )}
          <ReasonList files={notStored(files)} />
        </Notice>
      </InView>
    )
  }
  return null
}

export function notStored(files: readonly FileVerdict[]): { filename: string; message: string }[] {
  return files
    .filter((file) => file.status === 'refused')
    .map(({ filename, message }) => ({ filename, message: message ?? 'The file was refused' }))
}
