import { setTimeout as pause } from 'node:timers/promises'
import { median } from '../../../src/testing/median.ts'
import type { AttackedSite } from './site.ts'

const SEARCHES = 3
/** Ms between two polls, and between two thumbnails. They begin also while earlier ones wait. Otherwise a service that
 *  blocks for a minute would only delay one of many. */
const INTERVAL_MS = 200

/** What visitors have seen who only want to use the album. */
export interface Waits {
  /** The medians for a progress poll, a thumbnail and a search. */
  ms: number[]
  /** Calls that did not get what they asked for. */
  refused: number
}

/** @returns measures how long the calls of a guest take; ends after three searches */
export async function loadOthers({ album, selfie, guest }: AttackedSite): Promise<() => Promise<Waits>> {
  const client = await guest()
  const search = () => client.search(album.albumName, selfie)
  const { pathname, search: query } = new URL((await search()).body.photos[0].thumbUrl)
  const poll = () => client.get(`/api/albums/${album.id}/progress`)
  const thumbnail = () => client.get(pathname + query)

  return async () => {
    let refused = 0
    const timed = async (call: typeof poll) => {
      const since = performance.now()
      const answer = await call().catch(() => undefined)
      if (answer?.status !== 200) refused++
      return performance.now() - since
    }
    let isSearching = true
    const steadily = async (call: typeof poll) => {
      const waiting: Promise<number>[] = []
      for (; isSearching; await pause(INTERVAL_MS)) waiting.push(timed(call))
      return await Promise.all(waiting)
    }
    const searches = async () => {
      const times: number[] = []
      while (times.length < SEARCHES) times.push(await timed(search))
      isSearching = false
      return times
    }
    const times = await Promise.all([steadily(poll), steadily(thumbnail), searches()])
    return { ms: times.map(median), refused }
  }
}
