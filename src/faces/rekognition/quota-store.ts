import type { Db } from '../../database/client.ts'
import type { Lane } from './lanes.ts'
import { openLane, type SlotRequest, type Slots, takeSlots } from './quota-queries.ts'

/** Where the processes share their rates. */
export interface QuotaStore {
  /** Starts the lane with this rate. A lane that was started with the same rate keeps what it has learned. */
  open(lane: Lane, firstRate: number): Promise<void>
  /** Changes the rate and gives the next permits, in one round trip. Undefined when the lane is not open. */
  take(lane: Lane, request: SlotRequest): Promise<Slots | undefined>
}

/** The rates in Postgres. Each lane is one row: a rate, and the time of the next free slot. All processes take their
 *  slots from this row, so all together they send at the lane's rate. What a dead process has taken passes unused.
 *  @param now replaces the database's clock, for tests */
export function createQuotaStore(db: Db, now?: () => Date): QuotaStore {
  return {
    open: (lane, firstRate) => openLane(db, lane, firstRate),
    take: (lane, request) => takeSlots(db, lane, request, now?.()),
  }
}
