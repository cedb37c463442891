/** Joins parts that are copied at once: a file may have a million of them, and a list would take a hundred times its size.
 *  @param most bytes of all parts together */
export function copiedParts(most: number): { add(part: Buffer): void; bytes(): Buffer } {
  const copy = Buffer.allocUnsafe(most)
  let length = 0
  return {
    add(part) {
      length += part.copy(copy, length)
    },
    bytes: () => copy.subarray(0, length),
  }
}
