import { type CSSProperties, type Ref, useRef, useState } from 'react'
import type { KeptGrid } from './kept-grid.ts'
import { GRIDS } from './photo-grid-skeleton.tsx'
import { pathOf } from './photo-path.ts'
import { type PhotoLoading, PhotoTile } from './photo-tile.tsx'
import type { Chosen } from './take-home/use-chosen.ts'
import { type RowsInView, useRowsInView } from './use-rows-in-view.ts'
import { useViewer } from './use-viewer.ts'
import type { ViewedPhoto } from './viewed-photo.ts'

/** How many photos appear one after the other, 30 ms apart. */
const ANIMATED_AT_ONCE = 18

const ASPECT = 4 / 3
/** When the viewer is this many photos from the end, more are loaded. */
const NEAR_END = 3

export interface PhotoGridProps extends PhotoLoading {
  photos: readonly ViewedPhoto[]
  /** How many there are, with those that are not in the grid yet. */
  total?: number
  /** Columns on a phone. A wide screen has four. */
  columns: keyof typeof GRIDS
  /** Gives the link of one photo, so that the caller can focus it. */
  marked?: { index: number; ref: Ref<HTMLAnchorElement> }
  /** Missing where photos cannot be chosen. */
  chosen?: Chosen | undefined
  /** What the visitor has done in this grid before. */
  kept?: KeptGrid | undefined
  /** The visitor is near the end of these photos in the viewer. */
  onNearEnd?: (() => void) | undefined
}

/** Photos that feature the visitor, best match first. A click opens one in the viewer, over the grid. Each is also a link
 *  to its full size, and can be downloaded.
 *
 *  However many there are, the document has only those near the window. So the browser's own search in the page finds
 *  only these. Screen readers learn each photo's place and the number of all. The first and the last photo, the one that
 *  has the focus and those beside it are always there, so that the Tab key goes through all photos in order. */
export function PhotoGrid(props: PhotoGridProps) {
  const { photos, total, columns, marked, chosen, kept, onNearEnd, ...loading } = props
  const list = useRef<HTMLUListElement>(null)
  const rows = useRowsInView(list, ASPECT)
  const [focused, setFocused] = useState<number>()
  // Only the first tiles rise, not those that appear by scrolling.
  const [first, setFirst] = useState(rows)
  if (rows && !first) setFirst(rows)
  const { Viewer, opened, seen, see, open, close } = useViewer(list, kept?.id)

  return (
    <>
      <ul
        ref={list}
        className={`relative ${GRIDS[columns]}`}
        style={rows && { height: heightOf(rows, photos.length) }}
      >
        {rows &&
          drawnPhotos(rows, photos.length, [focused, seen]).map((index) => (
            <PhotoTile
              key={pathOf(photos[index]!)}
              photo={photos[index]!}
              index={index}
              count={photos.length}
              place={placeOf(rows, index)}
              isNear={isNear(rows, index)}
              rises={rows === first && index < ANIMATED_AT_ONCE}
              onOpen={() => open(photos[index]!)}
              onFocus={() => setFocused(index)}
              chosen={chosen}
              linkRef={index === marked?.index ? marked.ref : undefined}
              {...loading}
            />
          ))}
      </ul>
      {Viewer && opened !== undefined && photos.length > 0 && (
        <Viewer
          photos={photos}
          total={total ?? photos.length}
          // Forward may open a photo that has been erased meanwhile.
          first={Math.max(
            0,
            photos.findIndex((photo) => pathOf(photo) === opened),
          )}
          onShow={(index) => {
            see(index)
            if (index >= photos.length - NEAR_END) onNearEnd?.()
          }}
          onClose={close}
          {...loading}
        />
      )}
    </>
  )
}

/** The photos that are in the document, in order.
 *  @param kept photos that are always drawn, with their neighbours */
function drawnPhotos(
  { columns, first, last }: RowsInView,
  count: number,
  kept: readonly (number | undefined)[],
): number[] {
  const drawn = new Set([0, count - 1])
  for (const one of kept) if (one !== undefined) for (const index of [one - 1, one, one + 1]) drawn.add(index)
  for (let index = first * columns; index < (last + 1) * columns && index < count; index++) drawn.add(index)
  return [...drawn].filter((index) => index >= 0 && index < count).sort((one, other) => one - other)
}

function isNear({ columns, first, last }: RowsInView, index: number): boolean {
  return index >= first * columns && index < (last + 1) * columns
}

function heightOf({ columns, height, gap }: RowsInView, count: number): number {
  return Math.ceil(count / columns) * (height + gap) - gap
}

function placeOf({ columns, width, height, gap }: RowsInView, index: number): CSSProperties {
  const [row, column] = [Math.floor(index / columns), index % columns]
  return { top: row * (height + gap), left: column * (width + gap), width }
}
