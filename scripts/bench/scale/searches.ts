import { setTimeout as pause } from 'node:timers/promises'
import { residentBytesOf } from '../../../src/processes/process-figures.ts'
import { at, count, type Line, median, msOf, printLines, timesOf } from '../report.ts'
import { type Album, findPhotos, openSession, search } from '../visitors.ts'
import { type ScaleSite, startWarm } from './site.ts'

const SEARCHES = 5
/** How long the faces of an album may take to load. */
const LOADING_AIM_MS = 800
/** What a search may take longer than it usually does when nothing is loaded. */
const EXTRA_AIM_MS = 100
const AIM_MS = 100

/** The first searches of large albums in a process that has just started, and the memory that they take. */
export async function measureColdSearches(site: ScaleSite): Promise<void> {
  const { selfie, large, six, db, size } = site
  const [first, second] = large as [Album, Album]
  const web = await startWarm(site, 'web')
  const timed = (album: Album) => msOf(() => findPhotos(album, selfie))
  const usual = async (album: Album) => median(await timesOf(SEARCHES, () => findPhotos(album, selfie)))
  const yardstick = await usual(six)
  const atStart = residentBytesOf(web.pid)
  const cold = await timed(first)
  const warm = await usual(first)
  const withOne = residentBytesOf(web.pid)
  const photo = db.selectFrom('faces').select('photo_id').where('album_id', '=', first.id).limit(1)
  await db.deleteFrom('faces').where('photo_id', '=', photo).execute()
  const afterRemoval = await timed(first)
  for (const album of large) await timed(album)
  const inTurn: number[] = []
  for (const album of large) inTurn.push(await timed(album))
  const withFive = residentBytesOf(web.pid)
  await web.stop()
  const another = await startWarm(site, 'web')
  const guest = await openSession(site.url, second)
  const entered = await timed({ ...second, guests: [guest] })
  await another.stop()

  const line = (what: string, measured: number, aim?: number): Line => ({
    ...{ what, measured, yardstick, unit: 'ms', aim },
  })
  const memory = (what: string, bytes: number): Line => ({ what, measured: bytes / 1e6, unit: 'MB' })
  printLines(`5. Searches of albums of ${count(size)} photos`, 'an album of six', [
    line('the first search', cold, warm + LOADING_AIM_MS),
    line('the second', warm),
    line('after one photo was removed', afterRemoval, warm + LOADING_AIM_MS),
    line('the first one of a guest who has just entered', entered, warm + LOADING_AIM_MS),
    line('five albums in turn, the slowest', at(inTurn, 1), warm + EXTRA_AIM_MS),
    memory('memory of the web process at the start', atStart),
    memory('    after one album', withOne),
    memory('    after five albums', withFive),
  ])
}

/** A person who is in a twentieth of all photos of a large album, compared with one who is in 20 of another one. */
export async function measureManyMatches(site: ScaleSite): Promise<void> {
  const { url, selfie, env, large } = site
  const service = await startWarm(site, 'all')
  const look = async (album: Album) => {
    const searchAll = () => search(album, selfie)
    const matches = (await searchAll()).photos.length
    // The first call starts the measurement.
    await longestBlock(url, env.ADMIN_TOKEN!)
    const ms = await msOf(searchAll)
    const blocked = await longestBlock(url, env.ADMIN_TOKEN!)
    const { owner } = album
    const { body } = await owner.submitSelfie(selfie, { userAlbumId: album.ownerKey })
    const id = body.redirectTo.split('/').at(-1)
    while (!(await owner.get(`/api/results/${id}`)).body.processed) await pause(200)
    const results = median(await timesOf(SEARCHES, () => owner.get(`/api/results/${id}`)))
    const photos = median(await timesOf(SEARCHES, () => owner.get(`/api/photos/${id}`)))
    return { matches, ms, blocked, results, photos }
  }
  const few = await look(large[1]!)
  const many = await look(large[0]!)
  await service.stop()
  const line = (what: string, key: keyof typeof few, aim?: number): Line => ({
    ...{ what, measured: many[key], yardstick: few[key], unit: 'ms', aim },
  })
  printLines(`6. A search with ${count(many.matches)} matches`, `${few.matches} matches`, [
    line('the search', 'ms'),
    line('longest block of the main thread', 'blocked', AIM_MS),
    line('results of a submission', 'results', AIM_MS),
    line('its photos', 'photos'),
  ])
}

/** The longest time in ms for which the process's main thread did not look for other work since the last call. */
async function longestBlock(url: string, token: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds ([\d.e+-]+)$/m.exec(await answer.text())!
  return Number(seconds) * 1_000
}
