import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { figure } from '../report.ts'
import { startWarm } from './cold-searches.ts'
import { at, printLines } from './lines.ts'
import { atRate, type SearchAnswer, search } from './searching.ts'
import type { ScaleSite } from './site.ts'

const CAPACITY_SECONDS = 10
const SECONDS = 20
/** How many times as many selfies come as the engines can describe. */
const EXCESS = 3
/** A page that waits longer than this looks broken. */
const LONGEST_ANSWER_AIM_MS = 10_000
/** A guest who has no photos then gives up. */
const PATIENCE_MS = 180_000

/** What became of a guest who comes again when the service says so. */
interface Visit {
  /** The last one has the photos, or is a failure. */
  answers: SearchAnswer[]
  /** From the first selfie to the last answer. */
  ms: number
}

/** More selfies than the face engines can describe: who is answered at once, who has to come again, and how long they
 *  wait. */
export async function measureTooManySearches(site: ScaleSite): Promise<void> {
  const service = await startWarm(site, 'all')
  const capacity = await searchesASecond(site, service.url)
  const alone = await search(service.url, site.six, site.selfie)
  const perSecond = EXCESS * capacity
  // Each guest has a session.
  const seconds = Math.min(SECONDS, site.six.cookies.length / perSecond)
  const visits = await atRate({ perSecond, seconds }, (guest) => visit(site, service.url, guest))
  await service.stop()

  const happy = visits.filter(({ answers }) => isFound(answers.at(-1)!))
  const atOnce = happy.filter(({ answers }) => answers.length === 1)
  const most = Math.max(...visits.map(({ answers }) => answers.length)) - 1
  const longest = at(msOf(visits.flatMap(({ answers }) => answers)), 1)
  printLines(`3. ${figure(perSecond)} guests a second with a selfie, for ${figure(seconds)} s`, 'alone', [
    { what: 'the engines can do', measured: capacity, unit: 'searches/s' },
    { what: `of ${visits.length} guests, got their photos at once`, measured: atOnce.length, unit: 'guests' },
    { what: '    half of them within', measured: at(msOf(atOnce), 0.5), yardstick: alone.ms, unit: 'ms' },
    { what: 'came again at their time', measured: happy.length - atOnce.length, unit: 'guests' },
    { what: '    at most', measured: most, unit: 'times' },
    { what: 'got no photos', measured: visits.length - happy.length, unit: 'guests', aim: 0 },
    { what: 'the longest wait for one answer', measured: longest, unit: 'ms', aim: LONGEST_ANSWER_AIM_MS },
    { what: 'the last one had photos after', measured: at(msOf(happy), 1) / 1_000, unit: 's' },
    { what: '    the engines alone would need', measured: visits.length / capacity, unit: 's' },
  ])
}

const msOf = (timed: { ms: number }[]) => timed.map(({ ms }) => ms)
const isFound = ({ photos }: SearchAnswer) => photos.length > 0

/** How many searches a second are answered while some guests search again as soon as they have an answer. */
async function searchesASecond({ six, selfie }: ScaleSite, url: string): Promise<number> {
  const began = performance.now()
  let answered = 0
  const searchOn = async (guest: number) => {
    while (performance.now() - began < CAPACITY_SECONDS * 1_000)
      if (isFound(await search(url, six, selfie, guest))) answered++
  }
  await Promise.all(Array.from({ length: 2 * availableParallelism() }, (_, guest) => searchOn(guest)))
  return answered / ((performance.now() - began) / 1_000)
}

/** Searches as the page of a guest does: again after the time that the service names. */
async function visit({ six, selfie }: ScaleSite, url: string, guest: number): Promise<Visit> {
  const began = performance.now()
  const answers: SearchAnswer[] = []
  for (;;) {
    const answer = await search(url, six, selfie, guest)
    answers.push(answer)
    const ms = performance.now() - began
    if (answer.status !== 503 || answer.retryAfter === undefined || ms > PATIENCE_MS) return { answers, ms }
    await pause(answer.retryAfter * 1_000)
  }
}
