/** The part of a file that a request asks for: `end` is the place after its last byte.
 *  @param header the Range header (RFC 9110, section 14). Several ranges at once, and units other than bytes, may be ignored
 *  @returns undefined for the whole file, 'unsatisfiable' when the file has none of these bytes */
export function byteRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const [, first, last] = header?.trim().match(/^bytes=\s*(\d*)-(\d*)$/i) ?? []
  if (first === undefined || last === undefined || first + last === '') return undefined
  // The last so many bytes.
  if (first === '') return withinFile(Math.max(size - Number(last), 0), size, size)
  if (last !== '' && Number(last) < Number(first)) return undefined
  return withinFile(Number(first), last === '' ? size : Number(last) + 1, size)
}

function withinFile(start: number, end: number, size: number) {
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size) }
}
