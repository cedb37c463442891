import { Link } from '@tanstack/react-router'
import { uploadOutcome as texts, upload } from '../../../src/texts/english/upload.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { Notice } from '../../ui/notice.tsx'
import { ReasonList } from '../photos/reason-list.tsx'
import { type EndedUpload, isAlreadyThere, whyFailed } from './state.ts'
import { InView } from './upload-progress.tsx'

/** The success card at the end of an upload, with every file that is not stored. */
export function UploadSuccess({ ended }: { ended: EndedUpload }) {
  const { photoCount, notStored, stopped } = ended
  return (
    <InView>
      <Notice
        tone="success"
        title={isAlreadyThere(ended) ? upload.alreadyThereText(photoCount) : texts.title(photoCount)}
      >
        {stopped && <p>{stopped.message}</p>}
        <p>{texts.next}</p>
        <ReasonList files={notStored} />
      </Notice>
    </InView>
  )
}

/** The error card in its place.
 *  @param ended null when the upload broke off unexpectedly */
export function UploadFailure({ ended }: { ended: EndedUpload | null }) {
  const { notStored = [], stopped } = ended ?? {}
  return (
    <InView>
      <Notice tone="error" title={texts.failed}>
        <p>{ended ? whyFailed(ended) : upload.tryAgain}</p>
        {stopped && stopped.reason !== 'busy' && (
          <Link to="/get-started" className={`${buttonLook('primary')} mt-4`}>
            {texts.createNew}
          </Link>
        )}
        <ReasonList files={notStored} />
      </Notice>
    </InView>
  )
}
