import { residentBytesOf } from '../../../src/processes/process-figures.ts'
import { enterAsGuests } from '../guests.ts'
import { type ServerProcess, startInRole } from '../server-process.ts'
import { at, count, printLines } from './lines.ts'
import { timedSearch } from './searching.ts'
import type { ScaleAlbum, ScaleSite } from './site.ts'

const SEARCHES = 5
/** How long the faces of an album may take to load. */
const LOADING_AIM_MS = 800
/** What a search may take longer than it usually does when nothing is loaded. */
const EXTRA_AIM_MS = 100

/** The first searches of large albums in a process that has just started, and the memory that they take. */
export async function measureColdSearches(site: ScaleSite): Promise<void> {
  const { selfie, large } = site
  const first = large[0]!
  const web = await startWarm(site)
  const searchIn = (album: ScaleAlbum) => timedSearch(web.url, album, selfie)
  const small = await medianSearch(web, site.six, selfie)
  const atStart = residentBytesOf(web.pid)

  const cold = await searchIn(first)
  const warm = await medianSearch(web, first, selfie)
  const withOne = residentBytesOf(web.pid)
  await removeOnePhoto(site, first)
  const afterRemoval = await searchIn(first)
  for (const album of large) await searchIn(album)
  const inTurn: number[] = []
  for (const album of large) inTurn.push(await searchIn(album))
  const withFive = residentBytesOf(web.pid)
  await web.stop()

  const entered = await searchAfterEntering(site, large[1]!)
  printLines(`5. Searches of albums of ${count(site.size)} photos`, 'an album of six', [
    { what: 'the first search', measured: cold, yardstick: small, unit: 'ms', aim: warm + LOADING_AIM_MS },
    { what: 'the second', measured: warm, yardstick: small, unit: 'ms' },
    {
      what: 'after one photo was removed',
      measured: afterRemoval,
      yardstick: small,
      unit: 'ms',
      aim: warm + LOADING_AIM_MS,
    },
    {
      what: 'the first one of a guest who has just entered',
      measured: entered,
      yardstick: small,
      unit: 'ms',
      aim: warm + LOADING_AIM_MS,
    },
    {
      what: 'five albums in turn, the slowest',
      measured: at(inTurn, 1),
      yardstick: small,
      unit: 'ms',
      aim: warm + EXTRA_AIM_MS,
    },
    { what: 'memory of the web process at the start', measured: atStart / 1e6, unit: 'MB' },
    { what: '    after one album', measured: withOne / 1e6, unit: 'MB' },
    { what: '    after five albums', measured: withFive / 1e6, unit: 'MB' },
  ])
}

/** A process that has searched the smallest album and no other. By default it only answers. */
export async function startWarm(
  { env, six, selfie }: ScaleSite,
  role: 'web' | 'all' = 'web',
): Promise<ServerProcess> {
  const web = await startInRole(role, env)
  for (let search = 0; search < SEARCHES; search++) await timedSearch(web.url, six, selfie, search)
  return web
}

/** The median ms of some searches, one after the other. */
async function medianSearch({ url }: ServerProcess, album: ScaleAlbum, selfie: Buffer): Promise<number> {
  const times: number[] = []
  for (let search = 0; search < SEARCHES; search++) times.push(await timedSearch(url, album, selfie))
  return at(times, 0.5)
}

/** Takes the faces of one photo out of the album. */
async function removeOnePhoto({ db }: ScaleSite, { id }: ScaleAlbum): Promise<void> {
  const photo = await db
    .selectFrom('faces')
    .select('photo_id')
    .where('album_id', '=', id)
    .limit(1)
    .executeTakeFirstOrThrow()
  await db.deleteFrom('faces').where('photo_id', '=', photo.photo_id).execute()
}

async function searchAfterEntering(site: ScaleSite, album: ScaleAlbum): Promise<number> {
  const web = await startWarm(site)
  const { cookies } = await enterAsGuests({ ...album, url: web.url }, 1, album.name)
  const ms = await timedSearch(web.url, { ...album, cookies }, site.selfie)
  await web.stop()
  return ms
}
