import type { Db } from '../../database/client.ts'
import { leaseSlots, openLane } from './quota-queries.ts'
import type { QuotaStore } from './quota-store.ts'

/** The quotas of the face service in Postgres, shared by every process.
 *  @param now in the place of the database's clock, for tests */
export function createQuotaStore(db: Db, now?: () => Date): QuotaStore {
  return {
    open: (lane, learned) => openLane(db, lane, learned),
    async lease(lane, request) {
      const row = await leaseSlots(db, lane, request, now?.())
      if (!row) return undefined
      return {
        permits: row.permits,
        firstInMs: row.first_in_seconds * 1000,
        everyMs: 1000 / row.learned.rate,
        learned: row.learned,
        period: Number(row.period),
        sofar: {
          busySeconds: row.busy_seconds,
          granted: row.granted,
          answered: row.answered,
          throttled: row.throttled,
        },
      }
    },
  }
}
