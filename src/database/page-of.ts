/** A page of a list.
 *  @param found the rows of the page, and one more when there is another page
 *  @returns `nextCursor`: undefined on the last page */
export function pageOf<Row>(found: Row[], limit: number, cursorAt: (last: Row) => string) {
  const rows = found.slice(0, limit)
  return { rows, nextCursor: found.length > limit ? cursorAt(rows.at(-1)!) : undefined }
}
