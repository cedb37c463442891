import { processorMsOf } from '../../src/processes/process-figures.ts'
import { createRestClient } from '../rest-client.ts'
import { enterAsGuests } from './guests.ts'
import { distinctPhotos, smallPictures } from './photos.ts'
import { type Poll, type PollingRun, percentile, pollAsFastAsPossible, pollAtRate } from './polling.ts'
import { type Comparison, figure, printComparisons } from './report.ts'
import { type ServerProcess, startBareServer, startService } from './server-process.ts'
import { createAlbum, type Destination, untilIndexed, uploadPhotos } from './uploading.ts'

const CONNECTIONS = [1, 50, 500]
const WARM_UP_SECONDS = 1
const SECONDS = 3
/** A thousand guests whose pages ask every two seconds. */
const RATE = { perSecond: 500, connections: 500, seconds: 5 }
/** Sessions of guests. They take turns on the connections. */
const GUESTS = 50
const PHOTOS = 15

/** A path, and whether guests ask for it in sessions of their own. */
type PolledPath = [path: string, asGuests?: true]

interface Run extends PollingRun {
  perSecond: number
  /** The server's processor time for an answer, in ms, without the database's. */
  processor: number
}

/** Measures how fast the server answers the calls that pages repeat: as many as it can answer, and at the rate of a
 *  thousand guests. Processor times do not depend on other programs as latencies do, but a busy machine raises both, so
 *  compare the ratios.
 *  @param words `rate`: only at the rate of a thousand guests */
export async function benchPolling(words: string[]): Promise<void> {
  const service = await startService({ indexing: true })
  const bare = await startBareServer()
  const pictures = smallPictures()
  const album = await createAlbum(service.url, PHOTOS)
  await uploadPhotos(album, distinctPhotos(pictures, PHOTOS))
  await untilIndexed(album, PHOTOS)
  const guests = await enterAsGuests(album, GUESTS)

  const trpc = (name: string, input: object) =>
    `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`
  const results = await submitSelfie(album, pictures[0]!)
  const paths: Record<string, PolledPath> = {
    progress: [`/api/albums/${album.ownerKey}/progress`],
    'auth-status': ['/api/albums/auth-status/bench'],
    list: ['/api/albums/list'],
    results: [`/api/results/${results}`],
    "progress on guests' pages": [trpc('albums.progress', { id: guests.albumId }), true],
    "results on a guest's page": [trpc('submissions.results', { id: results }), true],
  }
  const pollOf = ({ url }: ServerProcess, [path, asGuests]: PolledPath): Poll => ({
    url: new URL(url + path),
    cookies: asGuests ? guests.cookies : [],
  })
  const compare = async (title: string, run: (poll: Poll, seconds?: number) => Promise<PollingRun>) => {
    const yardstick = await measure(bare, pollOf(bare, paths.progress!), run)
    const comparisons: Comparison[] = []
    for (const [name, path] of Object.entries(paths))
      comparisons.push(...comparisonsOf(name, await measure(service, pollOf(service, path), run), yardstick))
    printComparisons([title, 'Inframe', 'bare Fastify'], comparisons)
    console.log()
  }

  for (const connections of words.includes('rate') ? [] : CONNECTIONS)
    await compare(
      connections === 1 ? 'Polling on 1 connection' : `Polling on ${connections} connections`,
      (poll, seconds = SECONDS) => pollAsFastAsPossible(poll, connections, seconds),
    )
  await compare(`${RATE.perSecond} requests a second`, (poll, seconds = RATE.seconds) =>
    pollAtRate(poll, { ...RATE, seconds }),
  )
}

async function measure(
  { pid }: ServerProcess,
  poll: Poll,
  run: (poll: Poll, seconds?: number) => Promise<PollingRun>,
): Promise<Run> {
  await run(poll, WARM_UP_SECONDS)
  const [before, start] = [processorMsOf(pid), performance.now()]
  const measured = await run(poll)
  return {
    ...measured,
    perSecond: (measured.answers / (performance.now() - start)) * 1000,
    processor: (processorMsOf(pid) - before) / measured.answers,
  }
}

function comparisonsOf(name: string, own: Run, bare: Run): Comparison[] {
  const compare = (what: string, of: (run: Run) => number, unit: string): Comparison => ({
    what,
    measured: of(own),
    yardstick: of(bare),
    show: (n) => `${figure(n)}${unit}`,
  })
  return [
    compare(name, ({ perSecond }) => perSecond, '/s'),
    compare('    half of them within', (run) => percentile(run, 0.5), ' ms'),
    compare('    95% of them within', (run) => percentile(run, 0.95), ' ms'),
    compare('    99% of them within', (run) => percentile(run, 0.99), ' ms'),
    compare('    processor time of each', ({ processor }) => processor, ' ms'),
  ]
}

/** @returns the submission's id. */
async function submitSelfie({ url, ownerKey }: Destination, selfie: Buffer): Promise<string> {
  const form = new FormData()
  form.append('photo', new Blob([new Uint8Array(selfie)]), 'selfie.jpg')
  form.append('source', 'homepage')
  form.append('userAlbumId', ownerKey)
  const { redirectTo } = await createRestClient(url).post<{ redirectTo: string }>('/api/submit-photo', form)
  return redirectTo.split('/').at(-1)!
}
