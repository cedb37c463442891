import { setTimeout as pause } from 'node:timers/promises'
import type { ResultPhotos, Results, SubmitOutput } from '../../../src/contract/submissions.ts'
import { createRestClient } from '../../rest-client.ts'
import { startWarm } from './cold-searches.ts'
import { at, count, type Line, printLines, timesOf } from './lines.ts'
import { type SearchAnswer, search } from './searching.ts'
import { longestBlock } from './service-metrics.ts'
import type { ScaleAlbum, ScaleSite } from './site.ts'

const CALLS = 5
const BLOCK_AIM_MS = 100
const RESULTS_AIM_MS = 100

interface Seen {
  answer: SearchAnswer
  blockedMs: number
  /** Ms of each call. */
  results: number[]
  photos: number[]
}

/** A person who is in a twentieth of all photos of a large album, compared with one who is in 20 of another one. */
export async function measureManyMatches(site: ScaleSite): Promise<void> {
  const web = await startWarm(site, 'all')
  const look = async (album: ScaleAlbum): Promise<Seen> => {
    let answer = await search(web.url, album, site.selfie, 0, 'all')
    const blockedMs = await longestBlock(web.url, async () => {
      answer = await search(web.url, album, site.selfie, 0, 'all')
    })
    return { answer, blockedMs, ...(await resultsOf(web.url, album, site.selfie)) }
  }
  const few = await look(site.large[1]!)
  const many = await look(site.large[0]!)
  await web.stop()

  const line = (what: string, of: (seen: Seen) => number, unit: Line['unit'], aim?: number): Line => ({
    what,
    measured: of(many),
    yardstick: of(few),
    unit,
    ...(aim !== undefined && { aim }),
  })
  const { photos } = many.answer
  printLines(`6. A search with ${count(photos.length)} matches`, `${few.answer.photos.length} matches`, [
    line('the answer, as sent', ({ answer }) => answer.bytes / 1e3, 'KB'),
    line('the search', ({ answer }) => answer.ms, 'ms'),
    line('longest block of the main thread', ({ blockedMs }) => blockedMs, 'ms', BLOCK_AIM_MS),
    line('9. results of a submission', ({ results }) => at(results, 0.5), 'ms', RESULTS_AIM_MS),
    line('   its photos', ({ photos }) => at(photos, 0.5), 'ms'),
  ])
}

/** Submits a selfie, and reads its results and its photos. */
async function resultsOf(url: string, { ownerKey }: ScaleAlbum, selfie: Buffer) {
  const client = createRestClient(url)
  const form = new FormData()
  form.append('userAlbumId', ownerKey)
  form.append('photo', new Blob([new Uint8Array(selfie)]), 'selfie.jpg')
  const { redirectTo } = await client.post<SubmitOutput>('/api/submit-photo', form)
  const id = redirectTo.split('/').at(-1)
  while (!(await client.get<Results>(`/api/results/${id}`)).processed) await pause(200)
  return {
    results: await timesOf(CALLS, () => client.get<Results>(`/api/results/${id}`)),
    photos: await timesOf(CALLS, () => client.get<ResultPhotos>(`/api/photos/${id}`)),
  }
}
