/** "GIF89a", and the size of the picture. */
const START_BYTES = 13
const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
/** The extension that says which colour of the next frame is transparent. */
const GRAPHIC_CONTROL = 0xf9
const IMAGE_HEAD_BYTES = 10

/** Everything up to the end of the first frame, without the extensions that are not needed for it. */
export function plainGif(bytes: Buffer): Buffer {
  let at = START_BYTES + paletteBytes(bytes[10])
  const start = bytes.subarray(0, at)
  let control: Buffer = Buffer.alloc(0)
  while (bytes[at] === EXTENSION) {
    const end = endOfBlocks(bytes, at + 2)
    if (bytes[at + 1] === GRAPHIC_CONTROL) control = bytes.subarray(at, end)
    at = end
  }
  if (bytes[at] !== IMAGE) return start
  // One byte before the blocks says how the pixels are packed.
  const blocks = at + IMAGE_HEAD_BYTES + paletteBytes(bytes[at + IMAGE_HEAD_BYTES - 1]) + 1
  const end = endOfBlocks(bytes, blocks)
  const isComplete = end <= bytes.length
  return Buffer.concat([start, control, bytes.subarray(at, end), Buffer.from(isComplete ? [TRAILER] : [])])
}

/** Bytes of a palette, by the flags before it. */
function paletteBytes(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

/** Where the blocks end that begin here: after one of length 0. Beyond the end of a file that is cut off. */
function endOfBlocks(bytes: Buffer, start: number): number {
  let at = start
  for (let length = bytes[at]; length !== undefined; length = bytes[at]) {
    at += 1 + length
    if (length === 0) return at
  }
  return Math.max(at, bytes.length) + 1
}
