import { setImmediate as endOfTurn } from 'node:timers/promises'

/** Signing the addresses of so many photos takes a few milliseconds. */
const ITEMS_IN_PART = 100

/** Does the same with each item. Between parts of the work, the thread answers others.
 *  @returns the results in the order of the items */
export async function inParts<Item, Result>(items: Item[], work: (item: Item) => Result): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % ITEMS_IN_PART === 0) await endOfTurn()
    results.push(work(item))
  }
  return results
}
