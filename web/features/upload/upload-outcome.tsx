import { Link } from '@tanstack/react-router'
import { uploadOutcome as texts, upload } from '../../../src/texts/english/upload.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { Notice } from '../../ui/notice.tsx'
import { ReasonList } from '../photos/reason-list.tsx'
import { type EndedUpload, whyFailed } from './outcome.ts'
import { InView } from './upload-progress.tsx'

/** The success card at the end of an upload, with every file that is not stored. */
export function UploadSuccess({ ended }: { ended: EndedUpload }) {
  const { inAlbum, before, alreadyThere, missing, full, withNote, stopped } = ended
  return (
    <Notice tone="success" title={alreadyThere ? upload.alreadyThereText(inAlbum) : texts.title(inAlbum)}>
      {stopped && (
        <p>
          {upload.missing(missing.length)}. {stopped.message}
        </p>
      )}
      {full && <p>{full}.</p>}
      <p>{before > 0 && !alreadyThere ? texts.beforeAndNext(before) : texts.next}</p>
      <ReasonList files={missing} />
      <ReasonList files={withNote} areStored />
    </Notice>
  )
}

/** The error card in its place.
 *  @param ended null when the upload broke off unexpectedly */
export function UploadFailure({ ended }: { ended: EndedUpload | null }) {
  const { missing = [], full, stopped } = ended ?? {}
  return (
    <InView>
      <Notice tone="error" title={texts.failed}>
        <p>{ended ? whyFailed(ended) : upload.tryAgain}</p>
        {(full || stopped?.albumLost) && (
          <Link to="/get-started" className={`${buttonLook('primary')} mt-4`}>
            {texts.createNew}
          </Link>
        )}
        <ReasonList files={missing} />
      </Notice>
    </InView>
  )
}
