import type { Lane } from '../../faces/rekognition/lanes.ts'
import type { QuotaStore } from '../../faces/rekognition/quota-store.ts'

/** Rates in this process's memory, by performance.now(): for tests whose clock is fake, which several governors share
 *  as processes share a database. */
export function createMemoryQuotaStore(): QuotaStore {
  const lanes = new Map<Lane, { rate: number; isMet: boolean; nextSlotAt: number }>()
  return {
    async open(lane, firstRate) {
      if (!lanes.has(lane)) lanes.set(lane, { rate: firstRate, isMet: false, nextSlotAt: 0 })
    },
    async take(lane, { wanted, change }) {
      const row = lanes.get(lane)
      if (!row) return undefined
      row.rate = Math.max(1, Math.min(row.rate + change.growth, change.ceiling ?? Infinity))
      row.isMet ||= change.ceiling !== undefined
      const now = performance.now()
      const start = Math.max(row.nextSlotAt, now - 300)
      const permits = Math.min(wanted, Math.ceil(row.rate * 0.2))
      row.nextSlotAt = start + (permits * 1000) / row.rate
      return { permits, firstInMs: start - now, rate: row.rate, isMet: row.isMet }
    },
  }
}
