const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text can be an id of ours. Postgres fails a query that compares a uuid column with any other text. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
