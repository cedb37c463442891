import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import {
  uploadOutcome as outcome,
  uploadProgress as texts,
  upload as words,
} from '../../../src/texts/english/upload.ts'
import { isFocusLost } from '../../lib/focus.ts'
import { formatBytes } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { Card } from '../../ui/card.tsx'
import { Countdown } from '../../ui/countdown.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { ReasonList } from '../photos/reason-list.tsx'
import { isAlreadyThere, milestone, type Phase, paceText, type Uploading } from './state.ts'

export function UploadProgressCard({ onStop, ...upload }: Uploading & { onStop: () => void }) {
  const { transfer, preparing } = upload
  const { photosTotal, bytesTotal, waiting, files } = transfer
  const bytesSent = Math.min(transfer.bytesSent, bytesTotal)
  return (
    <InView>
      <Card aria-label={texts.label}>
        <p role="status" className="sr-only">
          {milestone(transfer)}
        </p>
        <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 tabular-nums">
          <p className="text-heading font-semibold">{texts.photos(files.length, photosTotal)}</p>
          <p className="text-sm text-ink-soft">
            {texts.bytes(formatBytes(bytesSent), formatBytes(bytesTotal))}
          </p>
        </div>
        <ProgressBar label={texts.upload} done={bytesTotal === 0 ? 1 : bytesSent / bytesTotal} />
        <div className="mt-3 flex flex-wrap justify-between gap-x-4 text-sm text-ink-soft tabular-nums">
          <p>{texts.keepOpen}</p>
          <p>{paceText(upload) ?? '\u00a0'}</p>
        </div>
        {preparing && (
          <p className="mt-1 text-sm text-ink-soft tabular-nums">
            {texts.shrinking(preparing.number, preparing.total)}
          </p>
        )}
        <div role="status">
          {waiting && (
            <Notice className="mt-4">
              {waiting.reason === 'offline' ? (
                texts.offline
              ) : (
                <Sentence of={texts.waits(<Countdown seconds={waiting.seconds} />)} />
              )}
            </Notice>
          )}
        </div>
        <Button look="secondary" className="mt-4 max-sm:w-full" onClick={onStop}>
          {texts.stop}
        </Button>
      </Card>
    </InView>
  )
}

/** The success card or the error card at the end of an upload, with every file that is not stored. */
export function UploadOutcome({ phase, ended }: Extract<Phase, { phase: 'success' | 'error' }>) {
  const { photoCount = 0, notStored = [], stopped } = ended ?? {}
  const uploaded =
    ended && isAlreadyThere(ended) ? words.alreadyThereText(photoCount) : outcome.title(photoCount)
  return (
    <InView>
      <Notice tone={phase} title={phase === 'success' ? uploaded : outcome.failed}>
        {stopped && <p>{stopped.message}</p>}
        {phase === 'success' && <p>{outcome.next}</p>}
        {phase === 'error' && !stopped && <p>{words.tryAgain}</p>}
        {phase === 'error' && stopped && stopped.reason !== 'busy' && (
          <Link to="/get-started" className={`${buttonLook('primary')} mt-4`}>
            {outcome.createNew}
          </Link>
        )}
        <ReasonList files={notStored} />
      </Notice>
    </InView>
  )
}

function InView({ children }: { children: ReactNode }) {
  return (
    <div ref={comeIntoView} tabIndex={-1} className="outline-none">
      {children}
    </div>
  )
}

/** Scrolls what has just appeared to the middle of the window, where no toast covers it. Gives it the focus if nothing
 *  else has it. The button that starts an upload is below all photos and is then disabled. The progress appears above
 *  the photos, and a failure below. */
function comeIntoView(place: HTMLElement | null): void {
  if (!place) return
  void place.scrollIntoView({ block: 'center' })
  if (isFocusLost()) place.focus({ preventScroll: true })
}
