import { samplePhotos } from '../../../src/testing/sample-photos.ts'
import { distinct } from '../photos.ts'
import { count, msOf, printLines, waits } from '../report.ts'
import { startWithBacklog } from '../selfie.ts'
import { start } from '../service.ts'
import { atRate, load, openAlbum, search, untilIndexed, upload } from '../visitors.ts'
import type { ScaleSite } from './site.ts'

/** Two cores index them in about a minute. */
const BACKLOG = 600
/** A thousand guests whose pages ask every two seconds. */
const POLLS = { perSecond: 500, seconds: 20 }
const SELFIES = { perSecond: 5, seconds: 20 }

/** The polls of a thousand open pages while face engines index photos, and while selfies arrive, too. */
export async function measurePolls(site: ScaleSite): Promise<void> {
  const { six, selfie, url, env } = site
  const input = encodeURIComponent(JSON.stringify({ id: six.id }))
  const poll = async () => {
    const ask = (visit: number) =>
      load(`${url}/trpc/albums.progress?input=${input}`, six.guests[visit % six.guests.length]!.cookie())
    await atRate({ ...POLLS, seconds: 2 }, ask)
    return await atRate(POLLS, ask)
  }
  const idle = await start('all', env)
  const alone = await poll()
  await idle.stop()
  const backlog = await startWithBacklog(site, BACKLOG)
  const indexing = await poll()
  let found = 0
  const searchAsGuest = async (guest: number) => {
    if ((await search(six, selfie, guest)).photos.length > 0) found++
  }
  const [both] = await Promise.all([poll(), atRate(SELFIES, searchAsGuest)])
  await backlog.end()
  printLines(`2. ${POLLS.perSecond} polls a second`, 'nothing else', [
    ...waits('while photos are indexed', indexing, alone, 100, 0.99),
    ...waits(`and ${SELFIES.perSecond} selfies a second come`, both, alone, 100, 0.99),
    { what: '    selfies that got their photos', measured: found, unit: 'selfies' },
  ])
}

/** Six photos that are sent while many photos of another album wait to be indexed. */
export async function measureSmallAlbum(site: ScaleSite): Promise<void> {
  const sendSix = async () => {
    const pictures = samplePhotos()
    const album = await openAlbum(site.url, `six-${Date.now()}`)
    const until = async (photos: number) => (await msOf(() => untilIndexed(album, photos, 50))) / 1_000
    const [first, all] = await Promise.all([
      until(1),
      until(pictures.length),
      upload(album, pictures.length, (index) => distinct(pictures[index]!)),
    ])
    return { first, all }
  }
  const idle = await start('all', site.env)
  await sendSix()
  const alone = await sendSix()
  await idle.stop()
  const backlog = await startWithBacklog(site, BACKLOG)
  const before = await backlog.indexed()
  const behind = await sendSix()
  await backlog.end()
  printLines(`4. Six photos, sent while ${count(BACKLOG - before)} others wait`, 'alone', [
    {
      what: 'until the first was indexed',
      measured: behind.first,
      yardstick: alone.first,
      unit: 's',
      aim: 5,
    },
    { what: 'until all were indexed', measured: behind.all, yardstick: alone.all, unit: 's', aim: 10 },
  ])
}
