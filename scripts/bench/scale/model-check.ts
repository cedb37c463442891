import { processorMsOf, residentBytesOf } from '../../../src/processes/process-figures.ts'
import { childrenWith } from '../../../src/testing/child-processes.ts'
import { pollAtRate } from '../polling.ts'
import { figure, printTable } from '../report.ts'
import type { ServerProcess } from '../server-process.ts'
import { startWarm } from './cold-searches.ts'
import { count } from './lines.ts'
import { COSTS, comparingMs, databaseBytes, loadingMs, memoryBytes } from './model.ts'
import { search, timedSearch } from './searching.ts'
import type { ScaleAlbum, ScaleSite } from './site.ts'

const SEARCHES = 10
const RATE = { perSecond: 500, connections: 200, seconds: 5 }

/** Compares the model with what is measured at a hundredth, a tenth and the whole of the size. Times are processor time,
 *  which other programs change less than the time that passes. */
export async function checkModel(site: ScaleSite): Promise<void> {
  const web = await startWarm(site)
  const searchIn = (album: ScaleAlbum) => timedSearch(web.url, album, site.selfie)
  const searchOften = async (album: ScaleAlbum) => {
    const total = await processorMs(web.pid, async () => {
      for (let done = 0; done < SEARCHES; done++) await searchIn(album)
    })
    return total / SEARCHES
  }
  const beside = (model: number, measured: number, unit: string) =>
    `${figure(model)} / ${figure(measured)} ${unit}`

  const small = await searchOften(site.six)
  const rows: string[][] = []
  // The second large album: the first one has many matches, which take time of their own.
  for (const album of [...site.smaller, site.large[1]!]) {
    const { photos, faces, bytes } = album
    const before = residentBytesOf(web.pid)
    const cold = await processorMs(web.pid, () => searchIn(album))
    const warm = await searchOften(album)
    rows.push([
      `${count(photos)} photos, ${count(faces)} faces`,
      beside(databaseBytes(photos, faces) / 1e6, bytes / 1e6, 'MB'),
      beside(memoryBytes(faces) / 1e6, (residentBytesOf(web.pid) - before) / 1e6, 'MB'),
      beside(loadingMs(faces), cold - warm, 'ms'),
      beside(comparingMs(faces), warm - small, 'ms'),
    ])
  }
  printTable(['The model / measured', 'in Postgres', 'memory', 'loading', 'comparing'], rows)
  console.log()
  const unit = await unitCosts(site, web)
  await web.stop()
  printTable(
    ['One of each, ms of processor time without Postgres', 'model / measured'],
    (['selfie', 'poll', 'thumbnail'] as const).map((what) => [what, beside(COSTS[what], unit[what], 'ms')]),
  )
}

/** The processor time of a web process for one of each, in ms; for a selfie, with the engine and the decoder. */
async function unitCosts({ six, selfie }: ScaleSite, { url, pid }: ServerProcess) {
  const requests = RATE.perSecond * RATE.seconds
  const costOf = async (address: string) => {
    const polled = { url: new URL(address), cookies: six.cookies }
    await pollAtRate(polled, { ...RATE, seconds: 1 })
    return (await processorMs(pid, () => pollAtRate(polled, RATE))) / requests
  }
  const { photos } = await search(url, six, selfie)
  const together = () => [pid, ...childrenWith('', pid)].reduce((sum, one) => sum + processorMsOf(one), 0)
  const before = together()
  for (let guest = 0; guest < SEARCHES; guest++) await timedSearch(url, six, selfie, guest)
  const input = encodeURIComponent(JSON.stringify({ id: six.id }))
  return {
    selfie: (together() - before) / SEARCHES,
    poll: await costOf(`${url}/trpc/albums.progress?input=${input}`),
    thumbnail: await costOf(photos[0]!.thumbUrl),
  }
}

/** The processor time that a process needs while `work` runs, in ms. */
async function processorMs(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = processorMsOf(pid)
  await work()
  return processorMsOf(pid) - before
}
