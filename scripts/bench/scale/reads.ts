import { setTimeout as pause } from 'node:timers/promises'
import { createRestClient } from '../../rest-client.ts'
import { postgresMs } from '../postgres-ms.ts'
import { startInRole } from '../server-process.ts'
import { at, count, type Line, printLines, timesOf } from './lines.ts'
import { READING_MS, readMetrics } from './service-metrics.ts'
import type { ScaleAlbum, ScaleSite } from './site.ts'

const CALLS = 15
const SCRAPES = 4
const REST_SECONDS = 20
const READ_AIM_MS = 50
/** Beside what /metrics takes without reading the database. */
const GAUGES_AIM_MS = 20

/** The calls whose work could grow with an album, and what the service does by itself. */
export async function measureReads(site: ScaleSite): Promise<void> {
  const service = await startInRole('all', site.env)
  const client = createRestClient(service.url)
  const medianOf = async (path: string) => at(await timesOf(CALLS, () => client.get(path)), 0.5)
  const grows = async (what: string, pathOf: (album: ScaleAlbum) => string): Promise<Line> => {
    const yardstick = await medianOf(pathOf(site.six))
    return { what, measured: await medianOf(pathOf(site.large[0]!)), yardstick, unit: 'ms', aim: READ_AIM_MS }
  }
  const lines = [
    await grows('9. progress', ({ ownerKey }) => `/api/albums/${ownerKey}/progress`),
    await grows('   coverage', ({ ownerKey }) => `/api/albums/${ownerKey}/coverage`),
    {
      what: '   list of albums',
      measured: await medianOf('/api/albums/list'),
      unit: 'ms',
      aim: READ_AIM_MS,
    } as const,
  ]
  const scrape = () => readMetrics(service.url)
  const read: number[] = []
  const reused: number[] = []
  for (let scraped = 0; scraped < SCRAPES; scraped++) {
    await pause(READING_MS)
    read.push(...(await timesOf(1, scrape)))
    reused.push(...(await timesOf(1, scrape)))
  }
  const restBefore = await postgresMs(site.db)
  await pause(REST_SECONDS * 1_000)
  const atRest = (await postgresMs(site.db)) - restBefore
  await service.stop()
  printLines(`Reads beside albums of ${count(site.size)} photos`, 'an album of six', [
    ...lines,
    {
      what: '8. the gauges of /metrics',
      measured: at(read, 0.5) - at(reused, 0.5),
      unit: 'ms',
      aim: GAUGES_AIM_MS,
    },
    {
      what: '   processor time of Postgres in a minute without visitors',
      measured: (atRest * 60) / REST_SECONDS,
      unit: 'ms',
    },
  ])
}
