import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { at, figure, msOf, printLines } from '../report.ts'
import { atRate, findPhotos, search } from '../visitors.ts'
import { type ScaleSite, startWarm } from './site.ts'

const CAPACITY_SECONDS = 10
const SECONDS = 20
/** How many times as many selfies come as the engines can describe. */
const EXCESS = 3
/** A guest who has no photos then gives up. */
const PATIENCE_MS = 180_000

/** More selfies than the face engines can describe: who is answered at once, who has to come again, and how long they
 *  wait. */
export async function measureTooManySearches(site: ScaleSite): Promise<void> {
  const { six, selfie } = site
  const service = await startWarm(site, 'all')
  const capacity = await searchesASecond(site)
  const alone = await msOf(() => findPhotos(six, selfie))
  const perSecond = EXCESS * capacity
  // Each guest has a session.
  const seconds = Math.min(SECONDS, six.guests.length / perSecond)
  const visits: Awaited<ReturnType<typeof visit>>[] = []
  await atRate({ perSecond, seconds }, async (guest) => visits.push(await visit(site, guest)))
  await service.stop()

  const happy = visits.filter(({ isHappy }) => isHappy)
  const atOnce = happy.filter(({ ms }) => ms.length === 1).map(({ total }) => total)
  const last = Math.max(...happy.map(({ total }) => total))
  const longest = Math.max(...visits.flatMap(({ ms }) => ms))
  printLines(`3. ${figure(perSecond)} guests a second with a selfie, for ${figure(seconds)} s`, 'alone', [
    { what: 'the engines can do', measured: capacity, unit: 'searches/s' },
    { what: `of ${visits.length} guests, got their photos at once`, measured: atOnce.length, unit: 'guests' },
    { what: '    half of them within', measured: at(atOnce, 0.5), yardstick: alone, unit: 'ms' },
    { what: 'came again at their time', measured: happy.length - atOnce.length, unit: 'guests' },
    { what: 'got no photos', measured: visits.length - happy.length, unit: 'guests', aim: 0 },
    { what: 'the longest wait for one answer', measured: longest, unit: 'ms', aim: 10_000 },
    { what: 'the last one had photos after', measured: last / 1_000, unit: 's' },
    { what: '    the engines alone would need', measured: visits.length / capacity, unit: 's' },
  ])
}

/** How many searches a second are answered while some guests search again as soon as they have an answer. */
async function searchesASecond({ six, selfie }: ScaleSite): Promise<number> {
  const began = performance.now()
  let answered = 0
  const searchOn = async (guest: number) => {
    while (performance.now() - began < CAPACITY_SECONDS * 1_000)
      if ((await search(six, selfie, guest)).photos.length > 0) answered++
  }
  await Promise.all(Array.from({ length: 2 * availableParallelism() }, (_, guest) => searchOn(guest)))
  return answered / ((performance.now() - began) / 1_000)
}

/** Searches as the page of a guest does: again after the time that the service names.
 *  @returns the ms of each answer, and from the first selfie to the last answer */
async function visit({ six, selfie }: ScaleSite, guest: number) {
  const began = performance.now()
  const ms: number[] = []
  for (;;) {
    const since = performance.now()
    const { status, retryAfter, photos } = await search(six, selfie, guest)
    ms.push(performance.now() - since)
    const total = performance.now() - began
    if (status !== 503 || retryAfter === undefined || total > PATIENCE_MS)
      return { ms, total, isHappy: photos.length > 0 }
    await pause(retryAfter * 1_000)
  }
}
