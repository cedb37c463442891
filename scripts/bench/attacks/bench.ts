import { setTimeout as pause } from 'node:timers/promises'
import { figure, median, msOf, printTable, timesOf } from '../report.ts'
import { findPhotos } from '../visitors.ts'
import { ATTACKS, type Attack } from './attacks.ts'
import { type AttackedSite, startAttackedSite } from './site.ts'

const SEARCHES = 3
/** Ms between two polls, and between two thumbnails. They begin also while earlier ones wait. Otherwise a service that
 *  blocks for a minute would only delay one of many. */
const INTERVAL_MS = 200
/** A round takes at least as long. */
const PAUSE_MS = 20

/** Attacks a running service as strangers would. For each attack it prints how long other visitors wait before it, which
 *  is the yardstick, and during it, and the memory of the service. No time makes it fail.
 *  @param words only the attacks whose names have all of these; every attack by default */
export async function benchAttacks(words: string[]): Promise<void> {
  const site = await startAttackedSite()
  const rows: string[][] = []
  for (const attack of ATTACKS.filter(({ name }) => words.every((word) => name.includes(word)))) {
    if (site.hasEnded()) break
    console.error(`  … ${attack.name}`)
    rows.push([attack.name, attack.size, ...(await measured(site, attack))])
    if (!site.hasEnded()) await site.forget()
  }
  console.log('  Other visitors: medians in ms for a poll / a thumbnail / a search. Memory: MB.')
  const ofOthers = ['before', 'during', 'ratio', 'refused']
  printTable(['attack', 'size', 'rounds', ...ofOthers, 'before', 'peak', 'same process'], rows)
}

async function measured(site: AttackedSite, attack: Attack): Promise<string[]> {
  const round = await attack.prepare(site)
  const atRest = site.memory()
  const before = await waitsOfOthers(site)
  const ending = new AbortController()
  let [rounds, peak] = [0, 0]
  const repeat = async () => {
    for (; !ending.signal.aborted; rounds++) {
      await Promise.allSettled([round(ending.signal), pause(PAUSE_MS)])
      peak = Math.max(peak, site.memory())
    }
  }
  const [during] = await Promise.all([waitsOfOthers(site).finally(() => ending.abort()), repeat()])
  const figures = [before.ms, during.ms, during.ms.map((ms, call) => ms / before.ms[call]!)]
  return [
    String(rounds),
    ...figures.map((calls) => calls.map(figure).join(' / ')),
    String(during.refused),
    ...[atRest, peak].map((bytes) => String(Math.round(bytes / 1e6))),
    site.hasEnded() ? 'NO' : 'yes',
  ]
}

/** What visitors see who only want to use the album, until three searches are answered.
 *  @returns the medians in ms for a progress poll, a thumbnail and a search; calls that did not get what they asked for */
async function waitsOfOthers({ album, selfie }: AttackedSite): Promise<{ ms: number[]; refused: number }> {
  const guest = album.guests[0]!
  const { pathname, search } = new URL((await findPhotos(album, selfie))[0]!.thumbUrl)
  let refused = 0
  const timed = (call: () => Promise<{ status: number }>) =>
    msOf(async () => {
      const answer = await call().catch(() => undefined)
      if (answer?.status !== 200) refused++
    })
  let isSearching = true
  const steadily = async (path: string) => {
    const waiting: Promise<number>[] = []
    for (; isSearching; await pause(INTERVAL_MS)) waiting.push(timed(() => guest.get(path)))
    return await Promise.all(waiting)
  }
  const searches = timesOf(SEARCHES, () => timed(() => guest.search(album.name, selfie))).finally(() => {
    isSearching = false
  })
  const polls = steadily(`/api/albums/${album.id}/progress`)
  const times = await Promise.all([polls, steadily(pathname + search), searches])
  return { ms: times.map(median), refused }
}
