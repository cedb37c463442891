import { SUBMISSION_DELETION_DELAY_MS } from '../../../src/contract/limits.ts'

const due = new Set<string>()

/** Deletes a submission 30 s from now. Further calls before that do nothing. The submission is also deleted when the
 *  visitor has gone on to another page of the site. When the visitor has left the site, the service deletes the
 *  submission after an hour. */
export function deleteLater(id: string, erase: () => Promise<unknown>): void {
  if (due.has(id)) return
  due.add(id)
  setTimeout(() => {
    erase()
      .catch((error: unknown) => console.error('The submission could not be deleted', error))
      .finally(() => due.delete(id))
  }, SUBMISSION_DELETION_DELAY_MS)
}
