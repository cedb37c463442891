import { samplePhotos } from '../../src/testing/sample-photos.ts'
import { distinct } from './photos.ts'
import { type Line, printLines, waits } from './report.ts'
import { createSite, processorMs, start, startYardstick } from './service.ts'
import { atRate, load, openAlbum, untilIndexed, upload } from './visitors.ts'

/** A thousand guests whose pages ask every two seconds. */
const PER_SECOND = 500
/** Results are asked for until they are there: five guests a second send a selfie, and their pages ask a few times. */
const RESULTS_PER_SECOND = 50
const GUESTS = 50
const PHOTOS = 15

/** Measures how fast the server answers the calls that pages repeat, at the rate of a thousand guests. The yardstick is a
 *  bare Fastify. A busy machine raises all latencies, so compare the ratios. */
export async function benchPolling([seconds = '5']: string[]): Promise<void> {
  const { env, url, dataDir } = await createSite()
  const { pid } = await start('all', env)
  const bare = await startYardstick(dataDir)
  const pictures = samplePhotos()
  const album = await openAlbum(url, 'Bench', GUESTS)
  await upload(album, PHOTOS, (index) => distinct(pictures[index % pictures.length]!))
  await untilIndexed(album, PHOTOS)
  const fields = { source: 'homepage', userAlbumId: album.ownerKey }
  const { body } = await album.owner.submitSelfie(pictures[0]!, fields)
  const results = body.redirectTo.split('/').at(-1)

  const trpc = (name: string, input: object) =>
    `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`
  const cookies = album.guests.map((guest) => guest.cookie())
  const paths: Record<string, [path: string, cookies?: string[], perSecond?: number]> = {
    progress: [`/api/albums/${album.ownerKey}/progress`],
    'auth-status': ['/api/albums/auth-status/bench'],
    list: ['/api/albums/list'],
    results: [`/api/results/${results}`, undefined, RESULTS_PER_SECOND],
    "progress on guests' pages": [trpc('albums.progress', { id: album.id }), cookies],
    "results on a guest's page": [trpc('submissions.results', { id: results }), cookies, RESULTS_PER_SECOND],
  }
  const poll = async (address: string, pid: number, sessions = [''], perSecond = PER_SECOND) => {
    const rate = { perSecond, seconds: Number(seconds) }
    const ask = (visit: number) => load(address, sessions[visit % sessions.length])
    await atRate({ ...rate, seconds: 1 }, ask)
    const before = processorMs(pid)
    const times = await atRate(rate, ask)
    return { times, processor: (processorMs(pid) - before) / times.length }
  }
  const yardstick = await poll(`${bare.url}/json`, bare.pid)
  const lines: Line[] = []
  for (const [name, [path, sessions, perSecond]] of Object.entries(paths)) {
    const { times, processor } = await poll(url + path, pid, sessions, perSecond)
    const what = '    processor time of each, without Postgres'
    lines.push(...waits(name, times, yardstick.times))
    lines.push({ what, measured: processor, yardstick: yardstick.processor, unit: 'ms' })
  }
  printLines(`${PER_SECOND} requests a second, ${RESULTS_PER_SECOND} for results`, 'bare Fastify', lines)
}
