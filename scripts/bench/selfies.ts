import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { SearchOutput } from '../../src/contract/search.ts'
import { renderSelfie } from '../../src/photos/images.ts'
import { residentBytesOf } from '../../src/processes/process-figures.ts'
import { childrenWith } from '../../src/testing/child-processes.ts'
import { enterAsGuests } from './guests.ts'
import { distinctPhotos, smallPictures } from './photos.ts'
import { type Comparison, figure, printComparisons, printTable } from './report.ts'
import { bareEngine, type Engine, selfieFrom } from './selfie-picture.ts'
import { makeDataFolder, type ServerProcess, sharedParts, startInRole } from './server-process.ts'
import { countIndexed, createAlbum, type Destination, untilIndexed, uploadPhotos } from './uploading.ts'

const SELFIES = 48
/** Ms between two selfies. The next one never waits for an earlier one. */
const INTERVAL_MS = 1_000
const GUESTS = 12
/** More than a thousand, because some are indexed during the measurement. */
const WAITING_PHOTOS = 1_300
const SELFIE_SIDE = 3_000

/** The album that guests search, and how. */
interface Guests {
  cookies: string[]
  selfie: Buffer
  /** As the service gives it to the engine. */
  normalised: Buffer
}

interface Run {
  /** Ms from the moment when a selfie was due until its answer. */
  answers: number[]
  /** Ms that an engine needs for the same selfie, without the service. */
  bare: number[]
  memory: Memory
}

/** Bytes of the service and the processes that it has started, without Postgres. */
interface Memory {
  service: number
  engines: number[]
  decoders: number[]
}

/** Measures how long a guest waits for the photos of a selfie, while nothing else happens, and while 1,000 photos wait
 *  to be indexed. The yardstick is an engine of its own that gets the same selfie, in the same seconds. */
export async function benchSelfies(): Promise<void> {
  const env = await sharedParts(await makeDataFolder())
  const engine = await bareEngine()
  const pictures = smallPictures()

  const first = await startInRole('all', env)
  const album = await createAlbum(first.url, pictures.length)
  await uploadPhotos(album, distinctPhotos(pictures, pictures.length))
  await untilIndexed(album, pictures.length)
  const guests = await guestsOf(album, engine, pictures[0]!)
  await first.stop()

  // A new process, in which no photo was indexed.
  const idle = await startInRole('all', env)
  const atStart = memoryOf(idle.pid)
  await measure(idle, guests, engine, GUESTS)
  const whileIdle = await measure(idle, guests, engine, SELFIES)
  await idle.stop()

  const large = await uploadUnindexed(env, pictures)
  const busy = await startInRole('all', env)
  const backlog = { ...large, url: busy.url }
  await untilIndexed(backlog, 2 * availableParallelism())
  const whileIndexing = await measure(busy, guests, engine, SELFIES)
  const indexed = await countIndexed(backlog)
  await busy.stop()

  printComparisons(
    [`${SELFIES} selfies`, 'Inframe', 'bare engine'],
    [
      ...comparisonsOf('idle', whileIdle),
      ...comparisonsOf(
        `${figure(WAITING_PHOTOS)} to ${figure(WAITING_PHOTOS - indexed)} photos wait`,
        whileIndexing,
      ),
    ],
  )
  console.log('  aims: idle 250 ms, while photos wait 500 ms (95%)')
  console.log()
  printTable(
    ['Resident memory in MB', 'service', 'engines', 'decoders', 'together'],
    [
      rowOf('at start', atStart),
      rowOf('while guests search, at the most', whileIdle.memory),
      rowOf('while photos wait, at the most', whileIndexing.memory),
    ],
  )
}

async function guestsOf(album: Destination, engine: Engine, photo: Buffer): Promise<Guests> {
  const selfie = await selfieFrom(photo, engine, SELFIE_SIDE)
  const { cookies } = await enterAsGuests(album, GUESTS)
  return { cookies, selfie, normalised: await renderSelfie(selfie) }
}

/** Uploads photos to a process that indexes none. */
async function uploadUnindexed(env: Record<string, string>, pictures: Buffer[]): Promise<Destination> {
  const web = await startInRole('web', env)
  const album = await createAlbum(web.url, WAITING_PHOTOS)
  await uploadPhotos(album, distinctPhotos(pictures, WAITING_PHOTOS), 2)
  await web.stop()
  return album
}

async function measure(
  { url, pid }: ServerProcess,
  { cookies, selfie, normalised }: Guests,
  engine: Engine,
  count: number,
): Promise<Run> {
  const run: Run = { answers: [], bare: [], memory: memoryOf(pid) }
  const answer = async (cookie: string, dueAt: number) => {
    await search(url, cookie, selfie)
    run.answers.push(performance.now() - dueAt)
  }
  const describe = async () => {
    const begin = performance.now()
    await engine.run({ kind: 'selfie', wanted: undefined, image: normalised })
    run.bare.push(performance.now() - begin)
  }
  const start = performance.now()
  const answered: Promise<void>[] = []
  // The engine does one task at a time.
  let described = Promise.resolve()
  for (let sent = 0; sent < count; sent++) {
    const dueAt = start + sent * INTERVAL_MS
    await until(dueAt)
    answered.push(answer(cookies[sent % cookies.length]!, dueAt))
    // Between two selfies, so that they do not wait for each other.
    await until(dueAt + INTERVAL_MS / 2)
    described = described.then(describe)
    const now = memoryOf(pid)
    if (together(now) > together(run.memory)) run.memory = now
  }
  await Promise.all([...answered, described])
  return run
}

async function until(time: number): Promise<void> {
  await pause(Math.max(0, time - performance.now()))
}

async function search(url: string, cookie: string, selfie: Buffer): Promise<void> {
  const form = new FormData()
  form.append('albumName', 'bench')
  form.append('photo', new Blob([new Uint8Array(selfie)]), 'selfie.jpg')
  const response = await fetch(`${url}/api/search-in-album`, {
    method: 'POST',
    headers: { cookie },
    body: form,
  })
  const { matchedPhotos } = (await response.json()) as Partial<SearchOutput>
  if (!matchedPhotos?.length) throw new Error(`A selfie was answered with ${response.status} and no photo`)
}

function memoryOf(pid: number): Memory {
  const bytesOf = (program: string) => childrenWith(program, pid).map(residentBytesOf)
  return { service: residentBytesOf(pid), engines: bytesOf('face-worker'), decoders: bytesOf('decoder') }
}

function together({ service, engines, decoders }: Memory): number {
  return [service, ...engines, ...decoders].reduce((sum, bytes) => sum + bytes)
}

function rowOf(when: string, memory: Memory): string[] {
  const megabytes = (bytes: number[]) => bytes.map((each) => figure(each / 1e6)).join(' + ')
  const { service, engines, decoders } = memory
  return [when, ...[[service], engines, decoders, [together(memory)]].map(megabytes)]
}

function comparisonsOf(when: string, { answers, bare }: Run): Comparison[] {
  const compare = (share: number): Comparison => ({
    what: `${when}, ${share * 100}% within`,
    measured: at(answers, share),
    yardstick: at(bare, share),
    show: (ms) => `${figure(ms)} ms`,
  })
  return [compare(0.5), compare(0.95)]
}

/** The time that this share of them does not exceed. */
function at(times: number[], share: number): number {
  return times.toSorted((one, other) => one - other)[Math.ceil(times.length * share) - 1]!
}
