import type { FileVerdict } from '../../../src/contract/photos.ts'
import { countOf } from '../../lib/format.ts'
import { Notice } from '../../ui/notice.tsx'
import { ReasonList } from '../../ui/reason-list.tsx'
import type { BulkUploadState } from './use-bulk-upload.ts'

/** The success card or the error card at the end of an upload, with every file that is not stored. */
export function UploadOutcome({ state }: { state: BulkUploadState }) {
  if (state.phase === 'success') {
    const { successful, files } = state.result
    const duplicates = files.filter((file) => file.status === 'duplicate').length
    return (
      <Notice tone="success" title={`${countOf(successful, 'photo')} uploaded`}>
        <p>
          {duplicates > 0 && `${countOf(duplicates, 'photo')} of these the album had already. `}
          Taking you to the next step…
        </p>
        <ReasonList files={notStored(files)} />
      </Notice>
    )
  }
  if (state.phase === 'error')
    return (
      <Notice tone="error" title="Upload failed">
        <p>Please try again or check your internet connection</p>
        <ReasonList files={notStored(state.result?.files ?? [])} />
      </Notice>
    )
  return null
}

export function notStored(files: readonly FileVerdict[]): { filename: string; message: string }[] {
  return files
    .filter((file) => file.status === 'refused')
    .map(({ filename, message }) => ({ filename, message: message ?? 'The file was refused' }))
}
