/** Control characters, line breaks, and the marks that change the direction of text (UAX 9): with one of them
 *  "photo[U+202E]gpj.exe" looks like "photoexe.jpg". */
const HIDDEN = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** A file's name as it is shown and stored: one line, and each character where it belongs. */
export function plainFilename(name: string): string {
  return name.replace(HIDDEN, '')
}
