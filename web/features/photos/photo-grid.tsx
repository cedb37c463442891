import { type CSSProperties, type Ref, useRef, useState } from 'react'
import type { ResultPhoto } from '../../../src/contract/submissions.ts'
import { trackPhotoDownloaded } from '../../lib/analytics.ts'
import { DownloadIcon } from '../../ui/icons.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { PhotoThumb } from './photo-thumb.tsx'
import { type RowsInView, useRowsInView } from './use-rows-in-view.ts'

/** Photos of the first rows, which a screen shows without scrolling. */
const SEEN_AT_ONCE = 8
/** How many photos appear one after the other, 30 ms apart. */
const ANIMATED_AT_ONCE = 18

const GRIDS = {
  1: 'grid grid-cols-1 gap-3 sm:grid-cols-2 md:grid-cols-3 lg:grid-cols-4',
  2: 'grid grid-cols-2 gap-2 sm:grid-cols-3 sm:gap-3 lg:grid-cols-4',
}
const ASPECT = 4 / 3
const TILE = 'aspect-[4/3] rounded-lg'

export interface PhotoGridProps {
  photos: readonly ResultPhoto[]
  /** Columns on a phone. A wide screen has four. */
  columns: keyof typeof GRIDS
  /** When the photos' addresses were issued, ms since 1970. */
  issued?: number
  /** Whether fresh addresses are on their way. */
  isRenewing?: boolean
  /** A photo did not load. */
  onFail?: () => void
  /** The visitor asks for a photo that did not load again. */
  onRetry?: () => void
  /** Gives the link of one photo, so that the caller can focus it. */
  marked?: { index: number; ref: Ref<HTMLAnchorElement> }
}

/** Photos that feature the visitor, best match first. Each opens at full size in a new tab, and can be downloaded.
 *
 *  However many there are, the document has only those near the window. So the browser's own search in the page finds
 *  only these. Screen readers learn each photo's place and the number of all. The first and the last photo, the one that
 *  has the focus and those beside it are always there, so that the Tab key goes through all photos in order. */
export function PhotoGrid({ photos, columns, marked, ...loading }: PhotoGridProps) {
  const list = useRef<HTMLUListElement>(null)
  const rows = useRowsInView(list, ASPECT)
  const [focused, setFocused] = useState<number>()
  // Only what is there at once rises, and nothing that appears by scrolling.
  const [first, setFirst] = useState(rows)
  if (rows && !first) setFirst(rows)

  return (
    <ul
      ref={list}
      className={`relative ${GRIDS[columns]}`}
      style={rows && { height: heightOf(rows, photos.length) }}
    >
      {rows &&
        drawnPhotos(rows, photos.length, focused).map((index) => (
          <PhotoTile
            key={pathOf(photos[index]!)}
            photo={photos[index]!}
            index={index}
            count={photos.length}
            place={placeOf(rows, index)}
            rises={rows === first && index < ANIMATED_AT_ONCE}
            onFocus={() => setFocused(index)}
            linkRef={index === marked?.index ? marked.ref : undefined}
            {...loading}
          />
        ))}
    </ul>
  )
}

interface PhotoTileProps extends Omit<PhotoGridProps, 'photos' | 'columns' | 'marked'> {
  photo: ResultPhoto
  index: number
  count: number
  place: CSSProperties
  rises: boolean
  onFocus: () => void
  linkRef: Ref<HTMLAnchorElement> | undefined
}

function PhotoTile(props: PhotoTileProps) {
  const { photo, index, count, place, rises, onFocus, linkRef, ...loading } = props
  const delay = { animationDelay: `${index * 30}ms` }
  return (
    <li
      aria-setsize={count}
      aria-posinset={index + 1}
      onFocus={onFocus}
      className={`group absolute ${rises ? 'animate-rise' : ''}`}
      style={rises ? { ...place, ...delay } : place}
    >
      <PhotoThumb
        src={photo.thumbUrl}
        alt=""
        filename={photo.filename}
        eager={index < SEEN_AT_ONCE}
        className={`${TILE} @container`}
        {...loading}
      >
        <a
          ref={linkRef}
          href={photo.url}
          target="_blank"
          rel="noopener"
          className="absolute inset-0 rounded-lg -outline-offset-4"
        >
          <span className="sr-only">Open {photo.filename} at full size in a new tab</span>
        </a>
        <a
          href={photo.downloadUrl}
          download={photo.filename}
          aria-label={`Download ${photo.filename}`}
          onClick={trackPhotoDownloaded}
          className="absolute right-2 bottom-2 inline-flex min-h-11 min-w-11 items-center justify-center gap-2 rounded-full bg-black/70 text-[0.9375rem] font-semibold text-white transition-opacity hover:bg-black focus-visible:opacity-100 @min-[14rem]:px-4 pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100"
        >
          <DownloadIcon />
          <span className="@max-[14rem]:hidden">Download</span>
        </a>
      </PhotoThumb>
    </li>
  )
}

/** The photos that are in the document, in order. */
function drawnPhotos(
  { columns, first, last }: RowsInView,
  count: number,
  focused: number | undefined,
): number[] {
  const drawn = new Set([0, count - 1])
  if (focused !== undefined) for (const index of [focused - 1, focused, focused + 1]) drawn.add(index)
  for (let index = first * columns; index < (last + 1) * columns && index < count; index++) drawn.add(index)
  return [...drawn].filter((index) => index >= 0 && index < count).sort((one, other) => one - other)
}

function heightOf({ columns, height, gap }: RowsInView, count: number): number {
  return Math.ceil(count / columns) * (height + gap) - gap
}

function placeOf({ columns, width, height, gap }: RowsInView, index: number): CSSProperties {
  const [row, column] = [Math.floor(index / columns), index % columns]
  return { top: row * (height + gap), left: column * (width + gap), width }
}

/** What the grid looks like before the photos are known. */
export function PhotoGridSkeleton({ columns }: Pick<PhotoGridProps, 'columns'>) {
  return (
    <div className={GRIDS[columns]}>
      {Array.from({ length: SEEN_AT_ONCE }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all alike, and their number never changes.
        <Skeleton key={index} className={TILE} />
      ))}
    </div>
  )
}

/** What stays the same of a photo when its addresses are renewed. */
function pathOf({ url }: ResultPhoto): string {
  return new URL(url).pathname
}
