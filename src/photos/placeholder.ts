import type { OutputInfo } from 'sharp'

/** Pixels of a placeholder on the long side of the photo, and on the short side. */
const LONG = 4
const SHORT = 3
/** Every fourth row and column is enough for an average. */
const STEP = 4

/** The average colours of twelve parts of a picture, for a blurred picture in its place while it loads.
 *  @param pixels grey or RGB, 8 bits a channel
 *  @returns 36 bytes: red, green and blue of each part, row by row; four columns and three rows, or three columns and
 *    four rows when the picture is higher than wide */
export function placeholderOf({ data, info }: { data: Buffer; info: OutputInfo }): Buffer {
  const { width, height } = info
  const [columns, rows] = height > width ? [SHORT, LONG] : [LONG, SHORT]
  const placeholder = Buffer.alloc(3 * columns * rows)
  for (let part = 0; part < columns * rows; part++) {
    const across = span(part % columns, columns, width)
    const down = span(Math.floor(part / columns), rows, height)
    placeholder.set(averageOf(data, info, across, down), 3 * part)
  }
  return placeholder
}

interface Span {
  from: number
  to: number
}

/** A part of so many pixels, at least one of them. */
function span(part: number, parts: number, pixels: number): Span {
  const from = Math.min(Math.floor((part * pixels) / parts), pixels - 1)
  return { from, to: Math.max(from + 1, Math.floor(((part + 1) * pixels) / parts)) }
}

function averageOf(data: Buffer, { width, channels }: OutputInfo, across: Span, down: Span): number[] {
  const sums = [0, 0, 0]
  let count = 0
  for (let y = down.from; y < down.to; y += STEP)
    for (let x = across.from; x < across.to; x += STEP) {
      const at = (y * width + x) * channels
      for (const [colour, sum] of sums.entries()) sums[colour] = sum + data[at + (channels < 3 ? 0 : colour)]!
      count++
    }
  return sums.map((sum) => Math.round(sum / count))
}
