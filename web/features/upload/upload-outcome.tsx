import { Link } from '@tanstack/react-router'
import { uploadOutcome as texts, upload } from '../../../src/texts/english/upload.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { Notice } from '../../ui/notice.tsx'
import { ReasonList } from '../photos/reason-list.tsx'
import {
  type EndedUpload,
  isAlreadyThere,
  notStored,
  photosInAlbum,
  photosThereBefore,
  storedWithNote,
  whyFull,
} from './ended-upload.ts'
import { whyFailed } from './messages.ts'
import type { UploadState } from './state.ts'
import { InView } from './upload-progress.tsx'

/** The success card or the error card at the end of an upload, with every file that is not stored. */
export function UploadOutcome({ state }: { state: UploadState }) {
  if (state.phase === 'success') return <Success ended={state.ended} />
  if (state.phase === 'error') return <Failure ended={state.ended} />
  return null
}

function Success({ ended }: { ended: EndedUpload }) {
  const { stopped } = ended.result
  const missing = notStored(ended.result)
  const full = whyFull(missing)
  const before = photosThereBefore(ended)
  const alreadyThere = isAlreadyThere(ended)
  const count = photosInAlbum(ended)
  return (
    <Notice tone="success" title={alreadyThere ? upload.alreadyThereText(count) : texts.title(count)}>
      {stopped && (
        <p>
          {upload.missing(missing.length)}. {stopped.message}
        </p>
      )}
      {full && <p>{full}.</p>}
      <p>{before > 0 && !alreadyThere ? texts.beforeAndNext(before) : texts.next}</p>
      <ReasonList files={missing} />
      <ReasonList files={storedWithNote(ended.result)} areStored />
    </Notice>
  )
}

function Failure({ ended }: { ended: EndedUpload | null }) {
  return (
    <InView>
      <Notice tone="error" title={texts.failed}>
        <p>{ended ? whyFailed(ended) : upload.tryAgain}</p>
        {ended && (ended.result.stopped?.albumLost || whyFull(notStored(ended.result))) && (
          <Link to="/get-started" className={`${buttonLook('primary')} mt-4`}>
            {texts.createNew}
          </Link>
        )}
        {ended && <ReasonList files={notStored(ended.result)} />}
      </Notice>
    </InView>
  )
}
