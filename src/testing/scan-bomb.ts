/** A run of empty blocks, as a Huffman table with one code of one bit (ITU T.81, B.2.4.2): the code 0 for EOB14. */
const HUFFMAN_TABLE = Buffer.from([0xff, 0xc4, 0, 20, 0x10, 1, ...Array<number>(15).fill(0), 0xe0])
/** One coefficient of the first colour (B.2.3). */
const SCAN_HEADER = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 1, 1, 0])
/** The code 0 and 14 bits that count the blocks of the run above 2^14 (G.1.2.2). They contain no byte FF. */
const RUN = '010101010101010'
const BLOCKS_IN_RUN = 2 ** 14 + 0b10101010101010

/** A JPEG with more scans, in which all blocks are empty: small, without any fault, and slow to decode, because the
 *  decoder visits all blocks of each scan.
 *  @param progressive a progressive JPEG
 *  @param scans how many are added */
export function withEmptyScans(progressive: Buffer, scans: number): Buffer {
  const end = progressive.length - 2
  const scan = Buffer.concat([SCAN_HEADER, emptyBlocks(blocksOf(progressive))])
  return Buffer.concat([
    progressive.subarray(0, end),
    HUFFMAN_TABLE,
    ...Array.from({ length: scans }, () => scan),
    progressive.subarray(end),
  ])
}

/** The number of blocks of 8 × 8 pixels. */
function blocksOf(progressive: Buffer): number {
  const frame = progressive.indexOf(Buffer.from([0xff, 0xc2, 0]))
  const [height, width] = [progressive.readUInt16BE(frame + 5), progressive.readUInt16BE(frame + 7)]
  return Math.ceil(width / 8) * Math.ceil(height / 8)
}

function emptyBlocks(blocks: number): Buffer {
  const bits = RUN.repeat(Math.ceil(blocks / BLOCKS_IN_RUN))
  return Buffer.from((bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2)))
}
