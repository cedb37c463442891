import { type PollingRun, percentile, pollAtRate } from '../polling.ts'
import { type ServerProcess, startInRole } from '../server-process.ts'
import { endBacklog, startWithBacklog } from './backlog.ts'
import { at, type Line, printLines } from './lines.ts'
import { atRate, search } from './searching.ts'
import type { ScaleSite } from './site.ts'

/** A thousand guests whose pages ask every two seconds. */
const RATE = { perSecond: 500, connections: 200 }
const SELFIES_PER_SECOND = 5
const SECONDS = 20
const WARM_UP_SECONDS = 2
const AIM_MS = 100

/** The polls of a thousand open pages while face engines index photos, and while selfies arrive, too. */
export async function measurePolls(site: ScaleSite): Promise<void> {
  const idle = await startInRole('all', site.env)
  const alone = await poll(site, idle)
  await idle.stop()

  const backlog = await startWithBacklog(site)
  const indexing = await poll(site, backlog.service)
  const [both, answers] = await Promise.all([
    poll(site, backlog.service),
    atRate({ perSecond: SELFIES_PER_SECOND, seconds: SECONDS }, (guest) =>
      search(backlog.service.url, site.six, site.selfie, guest),
    ),
  ])
  await endBacklog(backlog)

  const selfies = answers.filter(({ photos }) => photos.length > 0).map(({ ms }) => ms)
  const line = (what: string, run: PollingRun, share: number, aim?: number): Line => ({
    what,
    measured: percentile(run, share),
    yardstick: percentile(alone, share),
    unit: 'ms',
    ...(aim !== undefined && { aim }),
  })
  printLines(`2. ${RATE.perSecond} polls a second`, 'nothing else', [
    line('while photos are indexed, half within', indexing, 0.5),
    line('    99% within', indexing, 0.99, AIM_MS),
    line(`and ${SELFIES_PER_SECOND} selfies a second come, half within`, both, 0.5),
    line('    99% within', both, 0.99, AIM_MS),
    { what: '    selfies that got their photos', measured: selfies.length, unit: 'selfies' },
    { what: '    half of them within', measured: at(selfies, 0.5), unit: 'ms' },
  ])
}

async function poll({ six }: ScaleSite, { url }: ServerProcess): Promise<PollingRun> {
  const input = encodeURIComponent(JSON.stringify({ id: six.id }))
  const polled = { url: new URL(`${url}/trpc/albums.progress?input=${input}`), cookies: six.cookies }
  await pollAtRate(polled, { ...RATE, seconds: WARM_UP_SECONDS })
  return await pollAtRate(polled, { ...RATE, seconds: SECONDS })
}
