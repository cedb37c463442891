import { type MouseEvent as Click, memo, useCallback } from 'react'
import { photoTile as texts } from '../../../../src/texts/english/photos.ts'
import * as common from '../../../../src/texts/english/words.ts'
import { trackPhotoDownloaded } from '../../../lib/analytics.ts'
import { DownloadIcon } from '../../../ui/action-icons.tsx'
import { CheckIcon } from '../../../ui/more-icons.tsx'
import { addressOf, type ViewedPhoto } from '../photo-path.ts'
import { PhotoThumb } from '../photo-thumb.tsx'
import type { Chosen } from '../take-home/take-home.tsx'
import { checkLink } from '../use-photo-links.ts'
import type { Place } from './rows.ts'
import { useLongPress } from './use-long-press.ts'

export interface PhotoTileProps {
  photo: ViewedPhoto
  /** From 0. */
  index: number
  /** Of all photos in the grid. */
  count: number
  place: Place
  /** Whether it is in the first row. */
  isFirst: boolean
  /** Opens the photo in the viewer. */
  onOpen: (photo: ViewedPhoto, index: number) => void
  onFocus: (index: number) => void
  /** Missing where photos cannot be chosen. */
  chosen?: Chosen | undefined
}

/** A photo in the grid: a link to its full size, which opens the viewer instead when it is simply clicked. While the
 *  visitor chooses photos, a click chooses it. On a touch screen, a long press begins the choice. While the grid is scrolled,
 *  only new tiles are drawn. */
export const PhotoTile = memo(function PhotoTile(props: PhotoTileProps) {
  const { photo, index, count, place, isFirst, onOpen, onFocus, chosen } = props

  function open(click: Click) {
    // Such clicks open a tab or window, or download.
    const isChoosing = chosen?.isChoosing ?? false
    if (click.ctrlKey || click.metaKey || click.altKey || (click.shiftKey && !isChoosing)) return
    click.preventDefault()
    if (isChoosing) chosen?.toggle(photo, click.shiftKey)
    else onOpen(photo, index)
  }
  const longPress = useLongPress(() => chosen?.toggle(photo))
  const isChosen = chosen?.has(photo) ?? false

  return (
    <li
      aria-setsize={count}
      aria-posinset={index + 1}
      onFocus={() => onFocus(index)}
      // The phone's own menu of a link would hide that the photo is chosen.
      className="group absolute [-webkit-touch-callout:none]"
      style={place}
      {...(chosen && longPress)}
    >
      <PhotoThumb
        src={photo.thumbUrl}
        alt=""
        isFirst={isFirst}
        placeholder={<Colours {...photo} colours={photo.placeholder} />}
        className="@container size-full rounded-lg"
      >
        <a
          href={addressOf(photo, 'full')}
          target="_blank"
          rel="noopener"
          aria-haspopup="dialog"
          onClick={open}
          className="absolute inset-0 rounded-lg -outline-offset-4"
        >
          <span className="sr-only">{texts.open(photo.filename)}</span>
        </a>
        {isChosen && (
          <span className="pointer-events-none absolute inset-0 rounded-lg bg-accent/25 inset-ring-4 inset-ring-accent" />
        )}
        {photo.note && (
          <span className="pointer-events-none absolute bottom-3 left-2 rounded-full bg-black/70 px-3 py-1 text-xs text-white">
            {photo.note}
          </span>
        )}
        {chosen && <PhotoTick photo={photo} chosen={chosen} />}
        <a
          href={addressOf(photo, 'download')}
          download={photo.filename}
          aria-label={texts.download(photo.filename)}
          onClick={() => {
            trackPhotoDownloaded()
            void checkLink(photo.thumbUrl)
          }}
          className="absolute right-2 bottom-2 inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-full bg-black/70 text-[0.9375rem] font-semibold text-white transition-opacity hover:bg-black focus-visible:opacity-100 @min-[14rem]:px-4 pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100"
        >
          <DownloadIcon />
          <span className="@max-[14rem]:hidden">{common.download}</span>
        </a>
      </PhotoThumb>
    </li>
  )
})

const ONLY_UNDER_MOUSE = 'opacity-0 group-hover:opacity-100 pointer-coarse:hidden'

/** Chooses a photo of the grid. While the visitor chooses none, a mouse has to be over the photo to see it. */
function PhotoTick({ photo, chosen }: { photo: ViewedPhoto; chosen: Chosen }) {
  const { isChoosing } = chosen
  const isChosen = chosen.has(photo)
  return (
    <label
      className={`absolute top-1 left-1 inline-flex size-11 cursor-pointer items-center justify-center transition-opacity ${isChoosing ? '' : ONLY_UNDER_MOUSE}`}
    >
      <input
        type="checkbox"
        aria-label={texts.select(photo.filename)}
        checked={isChosen}
        onChange={({ nativeEvent }) => chosen.toggle(photo, (nativeEvent as MouseEvent).shiftKey)}
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

/** The few colours of a photo that has not loaded yet. They look blurred, because the browser stretches them.
 *  @param colours as in the contract: base64 of 12 colours */
function Colours({ colours, width, height }: { colours: string } & Pick<ViewedPhoto, 'width' | 'height'>) {
  const [columns, rows] = height > width ? [3, 4] : [4, 3]
  const draw = useCallback(
    (canvas: HTMLCanvasElement | null) => {
      const context = canvas?.getContext('2d')
      if (!context) return
      const bytes = atob(colours)
      for (let place = 0; place < columns * rows; place++) {
        const [red, green, blue] = [0, 1, 2].map((part) => bytes.charCodeAt(3 * place + part))
        context.fillStyle = `rgb(${red} ${green} ${blue})`
        context.fillRect(place % columns, Math.floor(place / columns), 1, 1)
      }
    },
    [colours, columns, rows],
  )
  return (
    <canvas ref={draw} width={columns} height={rows} className="absolute inset-0 size-full object-cover" />
  )
}
