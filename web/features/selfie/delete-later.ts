import { SUBMISSION_DELETION_DELAY_MS } from '../../../src/contract/limits.ts'

const due = new Set<string>()

/** Has a submission deleted half a minute from now, once, however often it is asked: also when the visitor has
 *  gone on to another page of the site by then. A visitor who has left the site leaves it to the service, which
 *  deletes every submission after an hour. */
export function deleteLater(id: string, erase: () => Promise<unknown>): void {
  if (due.has(id)) return
  due.add(id)
  setTimeout(() => {
    erase()
      .catch((error: unknown) => console.error('The submission could not be deleted', error))
      .finally(() => due.delete(id))
  }, SUBMISSION_DELETION_DELAY_MS)
}
