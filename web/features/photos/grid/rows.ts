/** The place of a photo in a grid, in pixels. */
export interface Place {
  top: number
  left: number
  width: number
  height: number
}

export interface RowOptions {
  /** Photos in a row, at most. */
  columns: number
  /** Of the grid. */
  width: number
  /** Between two photos. */
  gap: number
}

/** The shape that the grid has room for: photos that are wider get a row of fewer photos. */
const USUAL_SHAPE = 4 / 3
/** A photo beyond these is cut at its sides. */
const NARROWEST = 1 / 4
const WIDEST = 4

/** Places photos in rows that are as wide as the grid, so that each has its own shape and no head is cut off. The last row
 *  is not stretched.
 *  @param shapes the width of each photo divided by its height */
export function placeInRows(shapes: readonly number[], { columns, width, gap }: RowOptions): Place[] {
  const usualHeight = (width - gap * (columns - 1)) / columns / USUAL_SHAPE
  const places: Place[] = []
  let row: number[] = []
  let top = 0
  let height = 0
  for (const [index, shape] of shapes.entries()) {
    row.push(Math.min(WIDEST, Math.max(NARROWEST, shape)))
    const full = (width - gap * (row.length - 1)) / row.reduce((sum, one) => sum + one, 0)
    const isFull = row.length === columns || full <= usualHeight
    if (!isFull && index < shapes.length - 1) continue
    height = isFull ? full : Math.min(full, Math.max(usualHeight, height))
    let left = 0
    for (const one of row) {
      places.push({ top, left, width: one * height, height })
      left += one * height + gap
    }
    top += height + gap
    row = []
  }
  return places
}
