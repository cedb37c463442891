/** A statement has at most 65,535 values in Postgres' protocol: the Int16 of its message Bind. No table has more than 16
 *  columns that are inserted in large numbers. */
const MOST_ROWS = 4_000

/** Rows in as few groups as there must be statements to insert them; none without rows. */
export function* rowsInStatements<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let from = 0; from < rows.length; from += MOST_ROWS) yield rows.slice(from, from + MOST_ROWS)
}
