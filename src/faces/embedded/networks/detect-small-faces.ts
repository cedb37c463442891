import type { Region } from 'sharp'
import { type Box, mapEdges, sideOf } from './detections.ts'
import type { Networks } from './networks.ts'
import { type Pixels, partOf } from './pixels.ts'

/** Pixels. The finest grid is not made for larger faces. */
const MAX_SIDE = 112

/** Pixels. With larger tiles fewer pixels are seen twice, but more of them without a reason. */
const MAX_TILE = 608
/** As wide as a face may be, so that each face is whole in some tile. */
const OVERLAP = MAX_SIDE
/** Pixels. The face in a box whose centre is nearer to an edge of its tile may be cut there. The next tile has its
 *  centre further inside. */
const SEEN_CUT = 48
/** The detector takes sides that are multiples of this as they are. */
const TILE_STEP = 32

/** Looks for faces under 112 pixels, in those parts of a picture where `hints` are: boxes that may be faces. It takes
 *  60 ms of processor time for each part, and 4 to 12 parts in a photo of a crowd. All boxes are in pixels. A face may
 *  have several. */
export async function detectSmallFaces(
  networks: Networks,
  pixels: Pixels,
  { hints, minScore }: { hints: readonly Box[]; minScore: number },
): Promise<Box[]> {
  const found: Box[] = []
  for (const tile of tilesOf(pixels)) {
    if (!hints.some((hint) => hasCentre(tile, hint))) continue
    const boxes = await networks.detectSmallFaces(partOf(pixels, tile), minScore)
    for (const box of boxes)
      if (sideOf(box) < MAX_SIDE && isWellInside(tile, box, pixels))
        found.push(
          mapEdges(
            box,
            (x) => x + tile.left,
            (y) => y + tile.top,
          ),
        )
  }
  return found
}

function tilesOf({ width, height }: Pixels): Region[] {
  return spansOf(height).flatMap((down) =>
    spansOf(width).map((across) => ({
      left: across.start,
      top: down.start,
      width: across.length,
      height: down.length,
    })),
  )
}

/** Spans of the same length that cover a side of a picture, with overlaps. */
function spansOf(side: number): { start: number; length: number }[] {
  if (side <= MAX_TILE) return [{ start: 0, length: side }]
  const count = Math.ceil((side - OVERLAP) / (MAX_TILE - OVERLAP))
  const length = Math.ceil((side + OVERLAP * (count - 1)) / count / TILE_STEP) * TILE_STEP
  return Array.from({ length: count }, (_, index) => ({
    start: Math.round((index * (side - length)) / (count - 1)),
    length,
  }))
}

function hasCentre(tile: Region, box: Box): boolean {
  const { x, y } = centreOf(box)
  return x >= tile.left && y >= tile.top && x < tile.left + tile.width && y < tile.top + tile.height
}

/** Whether a box in a tile is far enough from those edges of it that are inside the picture. */
function isWellInside(tile: Region, box: Box, { width, height }: Pixels): boolean {
  const { x, y } = centreOf(box)
  return (
    (tile.left === 0 || x > SEEN_CUT) &&
    (tile.top === 0 || y > SEEN_CUT) &&
    (tile.left + tile.width === width || x < tile.width - SEEN_CUT) &&
    (tile.top + tile.height === height || y < tile.height - SEEN_CUT)
  )
}

function centreOf({ left, top, right, bottom }: Box): { x: number; y: number } {
  return { x: (left + right) / 2, y: (top + bottom) / 2 }
}
