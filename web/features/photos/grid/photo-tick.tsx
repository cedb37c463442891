import { photoTile as texts } from '../../../../src/texts/english/photos.ts'
import { CheckIcon } from '../../../ui/more-icons.tsx'

export interface PhotoTickProps {
  filename: string
  isChosen: boolean
  /** Whether the visitor is choosing photos. Otherwise a mouse has to be over the photo to see the tick. */
  isChoosing: boolean
  onToggle: () => void
}

const ONLY_UNDER_MOUSE = 'opacity-0 group-hover:opacity-100 pointer-coarse:hidden'

/** Chooses a photo of the grid. */
export function PhotoTick({ filename, isChosen, isChoosing, onToggle }: PhotoTickProps) {
  return (
    <label
      className={`absolute top-1 left-1 inline-flex size-11 cursor-pointer items-center justify-center transition-opacity ${isChoosing ? '' : ONLY_UNDER_MOUSE}`}
    >
      <input
        type="checkbox"
        aria-label={texts.select(filename)}
        checked={isChosen}
        onChange={onToggle}
        // The Tab key reaches the ticks only while the visitor chooses. Otherwise they would be in its way.
        tabIndex={isChoosing ? 0 : -1}
        className="peer absolute inset-0 size-full cursor-pointer opacity-0"
      />
      <span
        className={`inline-flex size-7 items-center justify-center rounded-full border-2 border-white shadow-float peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent ${isChosen ? 'bg-accent text-on-accent' : 'bg-black/45 text-transparent'}`}
      >
        <CheckIcon className="size-4" />
      </span>
    </label>
  )
}
