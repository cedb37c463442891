import type { RekognitionOperation } from './requests.ts'
import { type ErrorName, ServiceError } from './service-error.ts'

/** What a request gets instead of its answer: an error; `break`, a connection that breaks before anything is done;
 *  `break-after`, one that breaks after everything is done; or `hang`, no answer at all. */
export type ServiceFault = ErrorName | 'break' | 'break-after' | 'hang'

/** Numbers from 0 to 1 that look random and are the same in every run (mulberry32). */
export function randomNumbers(seed = 1): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Chooses faults at random, but the same ones in every run. @param parts the share of all requests, 0 to 1 */
export function randomFaults(parts: Partial<Record<ServiceFault, number>>): () => ServiceFault | undefined {
  const random = randomNumbers()
  return () => {
    let drawn = random()
    for (const [fault, part] of Object.entries(parts)) {
      if (drawn < part) return fault as ServiceFault
      drawn -= part
    }
    return undefined
  }
}

/** The requests a second that each operation allows; an operation without a quota allows any number. */
export type Quotas = Partial<Record<RekognitionOperation, number>>

/** Admits the quota of requests a second for each operation; after a quiet second the whole quota at once.
 *  @returns a function that throws ServiceError ProvisionedThroughputExceededException for a request above the quota */
export function createQuotas(): (operation: RekognitionOperation, quotas: Quotas) => void {
  const buckets = new Map<RekognitionOperation, { left: number; at: number }>()
  return (operation, quotas) => {
    const perSecond = quotas[operation]
    if (perSecond === undefined) return
    const now = performance.now()
    const bucket = buckets.get(operation) ?? { left: perSecond, at: now }
    const left = Math.min(perSecond, bucket.left + ((now - bucket.at) / 1000) * perSecond)
    buckets.set(operation, { left: left < 1 ? left : left - 1, at: now })
    if (left < 1)
      throw new ServiceError(
        'ProvisionedThroughputExceededException',
        'Provisioned rate exceeded for this operation.',
      )
  }
}
