import { setTimeout as pause } from 'node:timers/promises'
import type { TestClient } from './client.ts'
import { median } from './median.ts'

/** How much longer another visitor may wait during an attack. */
const TIMES_LONGER = 5
/** Ms that are no reason to fail. On a busy machine a quick answer varies by more than five times. */
const TOLERATED_MS = 500
const SEARCHES = 3
/** Ms between two polls, and between two thumbnails. They begin also while earlier ones wait. Otherwise a service that
 *  blocks for a minute would only delay one of many. */
const INTERVAL_MS = 200

type Call = 'poll' | 'thumbnail' | 'search'
/** The median of each call's times, in ms. */
type Waits = Record<Call, number>

/** Visitors who only want to use the album. */
export interface OtherVisitors {
  /** How long a progress poll, a thumbnail and an album search take. Ends after three searches. */
  measure(): Promise<Waits>
  /** @param idle measured before and after the attack, because the machine may have become busier meanwhile
   *  @throws Error when a call took too long during the attack */
  compare(idle: Waits[], attacked: Waits): void
}

/** @param guest a session that no attack uses */
export async function loadOthers(
  guest: TestClient,
  album: { id: string; albumName: string },
  selfie: Buffer,
): Promise<OtherVisitors> {
  const search = () => guest.search(album.albumName, selfie)
  const found = await search()
  const thumbnail = found.body.photos?.[0]?.thumbUrl as string | undefined
  if (!thumbnail) throw new Error(`The first search was answered with ${found.status}`)
  const { pathname, search: query } = new URL(thumbnail)
  const calls: Record<Call, () => Promise<{ status: number }>> = {
    poll: () => guest.get(`/api/albums/${album.id}/progress`),
    thumbnail: () => guest.get(pathname + query),
    search,
  }

  return {
    async measure() {
      const times: Record<Call, number[]> = { poll: [], thumbnail: [], search: [] }
      const time = async (call: Call) => {
        const start = performance.now()
        const { status } = await calls[call]()
        if (status !== 200) throw new Error(`Another visitor's ${call} was answered with ${status}`)
        times[call].push(performance.now() - start)
      }
      const searched = new AbortController()
      const steadily = async (call: Call) => {
        const waiting: Promise<void>[] = []
        while (!searched.signal.aborted) {
          const one = time(call)
          one.catch(() => searched.abort())
          waiting.push(one)
          await pause(INTERVAL_MS)
        }
        await Promise.all(waiting)
      }
      const searches = async () => {
        try {
          for (let count = 0; count < SEARCHES; count++) await time('search')
        } finally {
          searched.abort()
        }
      }
      await Promise.all([searches(), steadily('poll'), steadily('thumbnail')])
      return { poll: median(times.poll), thumbnail: median(times.thumbnail), search: median(times.search) }
    },

    compare(idle, attacked) {
      const usual = (call: Call) => Math.max(...idle.map((waits) => waits[call]))
      const slow = (Object.keys(calls) as Call[]).filter(
        (call) => attacked[call] > Math.max(TIMES_LONGER * usual(call), TOLERATED_MS),
      )
      if (slow.length === 0) return
      const waits = slow.map(
        (call) => `${call}: ${Math.round(attacked[call])} ms instead of ${Math.round(usual(call))} ms`,
      )
      throw new Error(`Other visitors waited too long during the attack. ${waits.join('; ')}`)
    },
  }
}
