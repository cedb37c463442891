import { availableParallelism } from 'node:os'
import { figure } from '../report.ts'
import { startWarm } from './cold-searches.ts'
import { at, printLines } from './lines.ts'
import { type SearchAnswer, search, searchAtRate } from './searching.ts'
import type { ScaleSite } from './site.ts'

const CAPACITY_SECONDS = 10
const SECONDS = 20
/** How many times as many selfies come as the engines can describe. */
const EXCESS = 3
/** A page that waits longer than this looks broken. */
const LONGEST_WAIT_AIM_MS = 10_000

/** More selfies than the face engines can describe: who is answered, who has to come again, and how long they wait. */
export async function measureTooManySearches(site: ScaleSite): Promise<void> {
  const web = await startWarm(site)
  const capacity = await searchesASecond(site, web.url)
  const alone = await search(web.url, site.six, site.selfie)
  const perSecond = EXCESS * capacity
  const answers = await searchAtRate(web.url, site.six, site.selfie, { perSecond, seconds: SECONDS })
  await web.stop()

  const found = answers.filter(({ photos }) => photos.length > 0)
  const later = answers.filter(({ status, retryAfter }) => status === 503 && retryAfter !== undefined)
  const waits = (some: SearchAnswer[]) => some.map(({ ms }) => ms)
  printLines(`3. ${figure(perSecond)} searches a second, ${EXCESS} times too many`, 'alone', [
    { what: 'the engines can do', measured: capacity, unit: 'searches/s' },
    { what: `of ${answers.length} selfies, got their photos`, measured: found.length, unit: 'selfies' },
    { what: '    half of them within', measured: at(waits(found), 0.5), yardstick: alone.ms, unit: 'ms' },
    { what: 'got 503 with Retry-After', measured: later.length, unit: 'selfies' },
    {
      what: '    the longest time they are asked to wait',
      measured: Math.max(0, ...later.map(({ retryAfter }) => retryAfter!)),
      unit: 's',
    },
    {
      what: 'got something else',
      measured: answers.length - found.length - later.length,
      unit: 'selfies',
      aim: 0,
    },
    {
      what: 'the longest wait for an answer',
      measured: at(waits(answers), 1),
      yardstick: alone.ms,
      unit: 'ms',
      aim: LONGEST_WAIT_AIM_MS,
    },
  ])
}

/** How many searches a second are answered while some guests search again as soon as they have an answer. */
async function searchesASecond({ six, selfie }: ScaleSite, url: string): Promise<number> {
  const began = performance.now()
  let answered = 0
  const searchOn = async (guest: number) => {
    while (performance.now() - began < CAPACITY_SECONDS * 1_000) {
      const { photos } = await search(url, six, selfie, guest)
      if (photos.length > 0) answered++
    }
  }
  await Promise.all(Array.from({ length: 2 * availableParallelism() }, (_, guest) => searchOn(guest)))
  return answered / ((performance.now() - began) / 1_000)
}
