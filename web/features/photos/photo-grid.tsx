import { useMemo, useRef, useState } from 'react'
import { PhotoTile } from './grid/photo-tile.tsx'
import { type Place, placeInRows } from './grid/rows.ts'
import { useWindowPart, type WindowPart } from './grid/use-window-part.ts'
import { GRIDS } from './photo-grid-skeleton.tsx'
import { pathOf, type ViewedPhoto } from './photo-path.ts'
import type { Chosen } from './take-home/take-home.tsx'
import type { PhotoViewerProps } from './viewer/photo-viewer.tsx'
import { loadViewer, useViewer } from './viewer/use-viewer.ts'

/** Of a photo whose size is unknown. */
const UNKNOWN_SHAPE = 4 / 3
/** When the viewer is this many photos from the end, more are loaded. */
const NEAR_END = 3

export interface PhotoGridProps {
  photos: readonly ViewedPhoto[]
  /** How many there are, with those that are not in the grid yet. */
  total?: number
  /** On a phone. A wide screen has four. */
  columns?: keyof typeof GRIDS
  /** Missing where photos cannot be chosen. */
  chosen?: Chosen | undefined
  /** The visitor is near the end of these photos in the viewer. */
  onNearEnd?: (() => void) | undefined
  /** What else the viewer offers for a photo. */
  about?: PhotoViewerProps['about']
}

/** Photos that feature the visitor, best match first. A click opens one in the viewer, over the grid. Each is also a link
 *  to its full size, and can be downloaded.
 *
 *  However many there are, the document has only those near the window. So the browser's own search in the page finds
 *  only these. Screen readers learn each photo's place and the number of all. The first and the last photo, the one that
 *  has the focus and those beside it are always there, so that the Tab key goes through all photos in order. */
export function PhotoGrid(props: PhotoGridProps) {
  const { photos, total, columns = 2, chosen, onNearEnd, about } = props
  const list = useRef<HTMLUListElement>(null)
  const part = useWindowPart(list)
  const places = usePlaces(photos, part)
  const [focused, setFocused] = useState<number>()
  const { Viewer, seen = 0, see, open, close } = useViewer(list)

  const { top: lastTop = 0, height: lastHeight = 0 } = places.at(-1) ?? {}
  return (
    <>
      <ul
        ref={list}
        className={`relative ${GRIDS[columns]}`}
        style={part && { height: lastTop + lastHeight }}
        // After a picture, so that the two do not share a slow network.
        onLoad={() => void loadViewer().catch(console.warn)}
      >
        {part &&
          drawnPhotos(places, part, [focused, seen]).map((index) => (
            <PhotoTile
              key={pathOf(photos[index]!)}
              photo={photos[index]!}
              index={index}
              count={photos.length}
              place={places[index]!}
              isFirst={index < part.columns}
              onOpen={open}
              onFocus={setFocused}
              chosen={chosen}
            />
          ))}
      </ul>
      {Viewer && photos.length > 0 && (
        <Viewer
          photos={photos}
          total={total ?? photos.length}
          // Forward may open it after photos have been erased.
          index={Math.min(seen, photos.length - 1)}
          onShow={(index) => {
            see(index)
            if (index >= photos.length - NEAR_END) onNearEnd?.()
          }}
          onClose={close}
          about={about}
        />
      )}
    </>
  )
}

function usePlaces(photos: readonly ViewedPhoto[], part: WindowPart | undefined): readonly Place[] {
  const { columns = 0, width = 0, gap = 0 } = part ?? {}
  return useMemo(() => {
    const shapes = photos.map((photo) => photo.width / photo.height || UNKNOWN_SHAPE)
    return columns > 0 ? placeInRows(shapes, { columns, width, gap }) : []
  }, [photos, columns, width, gap])
}

/** The photos that are in the document, in order.
 *  @param kept photos that are always drawn, with their neighbours */
function drawnPhotos(
  places: readonly Place[],
  { from, to }: WindowPart,
  kept: readonly (number | undefined)[],
): number[] {
  const always = new Set([0, places.length - 1])
  for (const one of kept)
    if (one !== undefined) for (const index of [one - 1, one, one + 1]) always.add(index)
  return places.flatMap(({ top, height }, index) =>
    (top < to && top + height > from) || always.has(index) ? [index] : [],
  )
}
