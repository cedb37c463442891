import { type ReactNode, useId, useRef, useState } from 'react'
import { viewer as texts } from '../../../../src/texts/english/photos.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { ChevronIcon } from '../../../ui/action-icons.tsx'
import { Modal } from '../../../ui/modal.tsx'
import { CloseIcon, Spinner } from '../../../ui/more-icons.tsx'
import { pathOf, type ViewedPhoto } from '../photo-path.ts'
import { useStage } from './use-stage.ts'
import { ViewerActions } from './viewer-actions.tsx'

export interface PhotoViewerProps {
  /** At least one. */
  photos: readonly ViewedPhoto[]
  /** How many there are, with those that have not been loaded. */
  total: number
  /** The photo that is shown. */
  index: number
  /** Another photo is shown. */
  onShow: (index: number) => void
  onClose: () => void
  /** What else is offered for a photo. */
  about?: ((photo: ViewedPhoto) => ReactNode) | undefined
}

const ROUND =
  'pointer-events-auto inline-flex size-11 items-center justify-center rounded-full bg-black/55 text-white hover:bg-white/25 aria-disabled:opacity-35'

/** On a wide screen the buttons are beside the photo. */
const SIDE = 'sm:fixed sm:top-1/2 sm:-translate-y-1/2'

/** Photos one by one, as large as the window. It is open while it is mounted.
 *
 *  Photos are swiped, or changed by the arrow keys; zoomed by two fingers, a double tap, a click or the wheel; and closed
 *  by dragging them down, by Escape and by the button. A tap hides the controls. */
export function PhotoViewer({ total, about, ...props }: PhotoViewerProps) {
  const { photos, index, onClose } = props
  const [isBare, setBare] = useState(false)
  const [isFaceMarked, setFaceMarked] = useState(false)
  const stage = useStage({ ...props, isFaceMarked, onTap: () => setBare(!isBare) })
  const photo = photos[index]!
  const place = texts.place(index + 1, total)
  const closing = useRef<HTMLButtonElement>(null)
  const title = useId()

  const stepButton = (by: 1 | -1, isEnd: boolean, label: string, look: string) => (
    <button
      type="button"
      aria-label={label}
      aria-disabled={isEnd}
      onClick={() => stage.step(by)}
      className={`${ROUND} ${SIDE} ${look}`}
    >
      <ChevronIcon />
    </button>
  )
  return (
    <Modal labelledBy={title} first={closing} look="screen" onClose={onClose}>
      <div ref={stage.host} className="absolute inset-0 isolate" />
      {stage.isLoading && (
        <div className="pointer-events-none absolute inset-0 m-auto size-8 animate-appear-late">
          <Spinner className="size-8" />
        </div>
      )}
      <div
        className={`pointer-events-none absolute inset-0 transition-opacity has-focus-visible:opacity-100 ${isBare ? 'invisible opacity-0 has-focus-visible:visible' : ''}`}
      >
        <div className="flex items-center justify-between gap-3 p-2">
          <h2
            id={title}
            aria-live="polite"
            className="rounded-full bg-black/55 px-3 py-1 text-sm tabular-nums"
          >
            <span aria-hidden="true">{place}</span>
            <span className="sr-only">{texts.photo(place, photo.filename)}</span>
          </h2>
          <button ref={closing} type="button" aria-label={common.close} onClick={onClose} className={ROUND}>
            <CloseIcon />
          </button>
        </div>
        <div className="absolute inset-x-2 bottom-3 flex items-center justify-between gap-1">
          {stepButton(-1, index === 0, texts.previous, 'left-2 [&>svg]:rotate-180')}
          <div className="pointer-events-auto relative flex grow justify-center gap-1.5 sm:gap-2">
            <ViewerActions
              key={pathOf(photo)}
              photo={photo}
              isFaceMarked={isFaceMarked}
              onMarkFace={setFaceMarked}
            />
            {about?.(photo)}
          </div>
          {stepButton(1, index === photos.length - 1, texts.next, 'right-2')}
        </div>
      </div>
    </Modal>
  )
}
