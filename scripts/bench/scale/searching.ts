import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { MATCHES_LOADED_AT_ONCE } from '../../../src/contract/limits.ts'
import type { SearchOutput } from '../../../src/contract/search.ts'
import type { ScaleAlbum } from './site.ts'

export interface SearchAnswer {
  status: number
  /** Until the whole answer has arrived. */
  ms: number
  /** Of the body, as it was sent. */
  bytes: number
  /** Seconds; undefined without the header. */
  retryAfter: number | undefined
  photos: SearchOutput['photos']
}

/** Guests behind one network address. */
const GUESTS_OF_ADDRESS = 50

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

/** Searches an album with a selfie as a browser does, and gives back whatever is answered.
 *  @param guest a number; another guest has another session, until all sessions of the album are used
 *  @param limit how many photos are in the answer; the others are in pages, unless it has all of them, as for older
 *  clients */
export async function search(
  url: string,
  { name, cookies }: Pick<ScaleAlbum, 'name' | 'cookies'>,
  selfie: Buffer,
  guest = 0,
  limit: number | 'all' = MATCHES_LOADED_AT_ONCE,
): Promise<SearchAnswer> {
  const form = new FormData()
  form.append('albumName', name)
  if (limit !== 'all') form.append('limit', String(limit))
  form.append('photo', new Blob([new Uint8Array(selfie)]), 'selfie.jpg')
  const body = new Response(form)
  const bytes = Buffer.from(await body.arrayBuffer())
  const begin = performance.now()
  const call = request(`${url}/api/search-in-album`, {
    agent,
    method: 'POST',
    headers: {
      cookie: cookies[guest % cookies.length],
      'content-type': body.headers.get('content-type')!,
      'content-length': bytes.length,
      'accept-encoding': 'gzip, br',
      // A proxy sends this header. A proxy on this machine is trusted.
      'x-forwarded-for': `10.0.0.${1 + Math.floor(guest / GUESTS_OF_ADDRESS)}`,
    },
  })
  call.end(bytes)
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  const sent = await buffer(response)
  const ms = performance.now() - begin
  const { headers, statusCode: status = 0 } = response
  const retryAfter = headers['retry-after'] === undefined ? undefined : Number(headers['retry-after'])
  const { photos } = JSON.parse(unpacked(sent, headers['content-encoding'])) as Partial<SearchOutput>
  return { status, ms, bytes: sent.length, retryAfter, photos: photos ?? [] }
}

/** Searches, and gives the ms of the answer.
 *  @throws Error when no photo was found */
export async function timedSearch(
  url: string,
  album: ScaleAlbum,
  selfie: Buffer,
  guest = 0,
): Promise<number> {
  const { status, ms, photos } = await search(url, album, selfie, guest)
  if (photos.length === 0)
    throw new Error(`A search in ${album.name} was answered with ${status} and no photo`)
  return ms
}

/** Lets guests do something at a fixed rate, whatever happens to the earlier ones.
 *  @param visit gets the number of the guest, from 0 */
export async function atRate<Result>(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  visit: (guest: number) => Promise<Result>,
): Promise<Result[]> {
  const start = performance.now()
  const visits: Promise<Result>[] = []
  for (let guest = 0; guest < perSecond * seconds; guest++) {
    await pause(Math.max(0, start + (guest / perSecond) * 1_000 - performance.now()))
    visits.push(visit(guest))
  }
  return await Promise.all(visits)
}

function unpacked(sent: Buffer, encoding: string | undefined): string {
  if (encoding === 'gzip') return gunzipSync(sent).toString()
  return (encoding === 'br' ? brotliDecompressSync(sent) : sent).toString()
}
