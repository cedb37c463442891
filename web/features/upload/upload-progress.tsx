import type { ReactNode } from 'react'
import { uploadProgress as texts, upload } from '../../../src/texts/english/upload.ts'
import { isFocusLost } from '../../lib/focus.ts'
import { formatBytes } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Countdown } from '../../ui/countdown.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { Sentence } from '../../ui/sentence.tsx'
import { photosDone, type Transfer } from './engine.ts'
import { milestone, paceText, type Reading } from './pace.ts'
import type { Waiting } from './patience.ts'
import type { Preparing } from './shrink.ts'

export interface UploadProgressCardProps {
  transfer: Transfer
  readings?: readonly Reading[]
  preparing?: Preparing | null
  /** Missing when the upload has ended. */
  onStop?: () => void
}

export function UploadProgressCard(props: UploadProgressCardProps) {
  const { transfer, readings = [], preparing = null, onStop } = props
  const { photosTotal, bytesTotal, bytesShown, waiting } = transfer
  const done = photosDone(transfer)
  const waitingNotice = waiting && <WaitingNotice waiting={waiting} />
  // There is nothing to send: the service is only asked about the album.
  if (photosTotal === 0) return <div role="status">{waitingNotice}</div>
  const bytesDone = Math.min(bytesShown, bytesTotal)
  return (
    <InView>
      <Card aria-label={texts.label}>
        <p role="status" className="sr-only">
          {milestone(done, photosTotal)}
        </p>
        <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 tabular-nums">
          <p className="text-heading font-semibold">{texts.photos(done, photosTotal)}</p>
          <p className="text-sm text-ink-soft">
            {texts.bytes(formatBytes(bytesDone), formatBytes(bytesTotal))}
          </p>
        </div>
        <ProgressBar label={texts.upload} done={bytesTotal === 0 ? 1 : bytesDone / bytesTotal} />
        {onStop && done < photosTotal && (
          <div className="mt-3 flex flex-wrap justify-between gap-x-4 text-sm text-ink-soft tabular-nums">
            <p>{texts.keepOpen}</p>
            {!waiting && <p>{paceText(readings, bytesTotal) ?? '\u00a0'}</p>}
          </div>
        )}
        {preparing && (
          <p className="mt-1 text-sm text-ink-soft tabular-nums">
            {texts.shrinking(preparing.number, preparing.total)}
          </p>
        )}
        <div role="status">{waitingNotice}</div>
        {onStop && (
          <Button look="secondary" className="mt-4 max-sm:w-full" onClick={onStop}>
            {texts.stop}
          </Button>
        )}
      </Card>
    </InView>
  )
}

function WaitingNotice({ waiting }: { waiting: Waiting }) {
  return (
    <Notice className="mt-4">
      {waiting.reason === 'offline' ? (
        upload.offline
      ) : (
        <Sentence
          of={texts.goesOn(`${waiting.message ?? upload.busy}.`, <Countdown seconds={waiting.seconds} />)}
        />
      )}
    </Notice>
  )
}

export function InView({ children }: { children: ReactNode }) {
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
