/** A JPEG with more scans, which are empty: small, readable, and slow to decode.
 *  @param progressive a progressive JPEG
 *  @param scans how many are added */
export function withEmptyScans(progressive: Buffer, scans: number): Buffer {
  const end = progressive.length - 2
  // One coefficient of the first colour (ITU T.81, B.2.3). The scan has no content, and the decoder visits all blocks.
  const scan = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 1, 1, 0x00])
  return Buffer.concat([
    progressive.subarray(0, end),
    ...Array.from({ length: scans }, () => scan),
    progressive.subarray(end),
  ])
}
