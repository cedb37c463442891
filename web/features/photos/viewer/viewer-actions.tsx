import type { ReactNode } from 'react'
import { viewer as texts } from '../../../../src/texts/english/photos.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { trackPhotoDownloaded } from '../../../lib/analytics.ts'
import { DownloadIcon, OpenIcon, ShareIcon } from '../../../ui/action-icons.tsx'
import { FaceIcon } from '../../../ui/icons.tsx'
import { Spinner } from '../../../ui/more-icons.tsx'
import { addressOf, type ViewedPhoto } from '../photo-path.ts'
import { canSharePhotos, type SaveState, savePhotos } from '../take-home/save.ts'
import { checkLink } from '../use-photo-links.ts'
import { useRun } from '../use-run.ts'

/** The look of a button under the photo. */
export const ACTION =
  'inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-full bg-black/55 px-3 text-[0.9375rem] font-semibold text-white hover:bg-white/20 aria-pressed:bg-white aria-pressed:text-black sm:px-4'

export interface ViewerActionsProps {
  photo: ViewedPhoto
  isFaceMarked: boolean
  onMarkFace: (isMarked: boolean) => void
}

/** What can be done with the photo that is shown. */
export function ViewerActions({ photo, isFaceMarked, onMarkFace }: ViewerActionsProps) {
  function download() {
    trackPhotoDownloaded()
    void checkLink(photo.thumbUrl)
  }
  return (
    <>
      {photo.face && (
        <button
          type="button"
          aria-pressed={isFaceMarked}
          onClick={() => onMarkFace(!isFaceMarked)}
          className={ACTION}
        >
          <FaceIcon />
          <Label>{texts.showFace}</Label>
        </button>
      )}
      <a href={addressOf(photo, 'download')} download={photo.filename} onClick={download} className={ACTION}>
        <DownloadIcon />
        <Label>{common.download}</Label>
      </a>
      {canSharePhotos() && <ShareButton photo={photo} />}
      <a href={addressOf(photo, 'full')} target="_blank" rel="noopener" className={ACTION}>
        <OpenIcon />
        <Label>{texts.openFull}</Label>
      </a>
    </>
  )
}

/** On a phone only the icon is seen. */
export function Label({ children }: { children: ReactNode }) {
  return <span className="max-sm:sr-only">{children}</span>
}

const SAID: { [Step in SaveState['step']]?: string } = {
  loading: texts.getting,
  ready: texts.ready,
  'not-loaded': texts.failed,
  refused: texts.failed,
}

/** Hands the photo at full size to the share sheet. */
function ShareButton({ photo }: { photo: ViewedPhoto }) {
  const { state, begin } = useRun<SaveState>()
  const step = state?.step ?? 'done'
  // Once the sheet has taken the photo, it begins anew.
  const share = () => (state && step !== 'done' ? state.share() : savePhotos(begin(), [photo], true))
  return (
    <>
      <button type="button" aria-busy={step === 'loading' || undefined} onClick={share} className={ACTION}>
        {step === 'loading' ? <Spinner /> : <ShareIcon />}
        <Label>{common.share}</Label>
      </button>
      <p
        role="status"
        className="absolute bottom-full left-1/2 mb-3 w-max max-w-[90vw] -translate-x-1/2 rounded-md bg-black/80 px-3 py-2 text-sm text-white empty:hidden"
      >
        {SAID[step]}
      </p>
    </>
  )
}
