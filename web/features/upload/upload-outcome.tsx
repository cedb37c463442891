import { Link } from '@tanstack/react-router'
import { uploadOutcome as texts, upload } from '../../../src/texts/english/upload.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { Notice } from '../../ui/notice.tsx'
import { ReasonList } from '../photos/reason-list.tsx'
import { isAlreadyThere, type Phase } from './state.ts'
import { InView } from './upload-progress.tsx'

/** The success card or the error card at the end of an upload, with every file that is not stored. */
export function UploadOutcome({ phase, ended }: Extract<Phase, { phase: 'success' | 'error' }>) {
  const { photoCount = 0, notStored = [], stopped } = ended ?? {}
  const uploaded =
    ended && isAlreadyThere(ended) ? upload.alreadyThereText(photoCount) : texts.title(photoCount)
  return (
    <InView>
      <Notice tone={phase} title={phase === 'success' ? uploaded : texts.failed}>
        {stopped && <p>{stopped.message}</p>}
        {phase === 'success' && <p>{texts.next}</p>}
        {phase === 'error' && !stopped && <p>{upload.tryAgain}</p>}
        {phase === 'error' && stopped && stopped.reason !== 'busy' && (
          <Link to="/get-started" className={`${buttonLook('primary')} mt-4`}>
            {texts.createNew}
          </Link>
        )}
        <ReasonList files={notStored} />
      </Notice>
    </InView>
  )
}
