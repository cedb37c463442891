import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { BATCH_SIZE } from '../../src/contract/limits.ts'
import type { SearchOutput } from '../../src/contract/search.ts'
import { createClient, type TestClient } from '../../src/testing/client.ts'

export interface Album {
  id: string
  /** As in its link. */
  name: string
  password: string
  ownerKey: string
  owner: TestClient
  /** Each has a session. */
  guests: TestClient[]
}

/** Guests behind one network address. */
const GUESTS_OF_ADDRESS = 50

/** Creates an album, and enters it with its password. */
export async function openAlbum(url: string, albumName = 'Bench', guests = 1): Promise<Album> {
  const owner = createClient(url)
  const { ownerKey, albumName: name } = await owner.createAlbum(albumName)
  const { id, albumPassword: password } = (await owner.get(`/api/albums/by-name/${name}`)).body.album
  const album = { id, name, password, ownerKey, owner }
  const enter = (_: unknown, guest: number) =>
    openSession(url, album, `10.0.0.${1 + Math.floor(guest / GUESTS_OF_ADDRESS)}`)
  return { ...album, guests: await Promise.all(Array.from({ length: guests }, enter)) }
}

let callers = 0

/** A network address that nobody else has. They are reserved for benchmarks (RFC 2544). */
const newAddress = () => `198.18.${++callers >> 8}.${callers & 255}`

/** Enters an album as a guest. */
export async function openSession(
  url: string,
  { name, password }: Pick<Album, 'name' | 'password'>,
  address = newAddress(),
): Promise<TestClient> {
  // A proxy sends this header. One on this machine is trusted.
  const client = createClient(url, '', { 'x-forwarded-for': address })
  await client.post(`/api/albums/${name}/authenticate`, { password })
  return client
}

/** Uploads photos in batches like the web app, but without its pauses.
 *  @param make the bytes of the next photo
 *  @param clients how many send at the same time, each one batch after another */
export async function upload(
  { owner, ownerKey }: Album,
  photos: number,
  make: (index: number) => Buffer,
  clients = 1,
): Promise<void> {
  let begun = 0
  const client = async () => {
    while (begun < photos) {
      const from = begun
      begun = Math.min(photos, begun + BATCH_SIZE)
      const batch = Array.from({ length: begun - from }, (_, place) => ({
        name: `photo-${from + place}.jpg`,
        bytes: make(from + place),
      }))
      const { status, body } = await owner.uploadPhotos(ownerKey, batch, { totalIntendedPhotos: photos })
      if (body.successful !== batch.length)
        throw new Error(`A batch was answered with ${status}: ${JSON.stringify(body)}`)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
}

export async function countIndexed({ owner, ownerKey }: Album): Promise<number> {
  return (await owner.get(`/api/albums/${ownerKey}/progress`)).body.photosIndexedToRekognition
}

/** Waits until so many photos of the album are indexed. */
export async function untilIndexed(album: Album, photos: number, everyMs = 200): Promise<void> {
  while ((await countIndexed(album)) < photos) await pause(everyMs)
}

export interface SearchAnswer {
  status: number
  /** Seconds; undefined without the header. */
  retryAfter: number | undefined
  photos: SearchOutput['photos']
}

/** Searches an album with a selfie as a browser does, and gives back whatever is answered.
 *  @param guest a number; another one is another guest, until all take their turn again */
export async function search({ name, guests }: Album, selfie: Buffer, guest = 0): Promise<SearchAnswer> {
  const form = new FormData()
  form.append('albumName', name)
  form.append('photo', new Blob([new Uint8Array(selfie)]), 'selfie.jpg')
  const client = guests[guest % guests.length]!
  const { status, headers, body } = await client.postForm('/api/search-in-album', form)
  const retryAfter = headers.get('retry-after')
  return {
    status,
    retryAfter: retryAfter === null ? undefined : Number(retryAfter),
    photos: body.photos ?? [],
  }
}

/** @throws Error when no photo was found */
export async function findPhotos(album: Album, selfie: Buffer, guest = 0): Promise<SearchOutput['photos']> {
  const { status, photos } = await search(album, selfie, guest)
  if (photos.length === 0)
    throw new Error(`A search in ${album.name} was answered with ${status} and no photo`)
  return photos
}

const agent = new Agent({ keepAlive: true, maxSockets: 500 })

/** Loads an address and forgets what comes. It takes less processor time from the service than fetch.
 *  @returns the bytes of the answer
 *  @throws Error on any answer but 200 */
export async function load(address: string, cookie = ''): Promise<number> {
  const call = get(address, { agent, headers: { cookie } })
  const [response] = (await once(call, 'response').catch((error) => {
    // The service may close a connection just when it is used again.
    if (call.reusedSocket) return []
    throw error
  })) as [IncomingMessage?]
  if (!response) return await load(address, cookie)
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  await once(response, 'end')
  if (response.statusCode !== 200) throw new Error(`${address} was answered with ${response.statusCode}`)
  return bytes
}

/** Lets visitors who know nothing of each other do something at a fixed rate, however slowly the earlier ones are answered.
 *  @param visit gets the number of the visit, from 0
 *  @returns the ms of each visit, from the moment when it was due */
export async function atRate(
  { perSecond, seconds }: { perSecond: number; seconds: number },
  visit: (number: number) => Promise<unknown>,
): Promise<number[]> {
  const start = performance.now()
  const total = Math.round(perSecond * seconds)
  const visits: Promise<number>[] = []
  while (visits.length < total) {
    const due = start + (visits.length / perSecond) * 1_000
    const left = due - performance.now()
    if (left > 0) await pause(left)
    const answered = visit(visits.length).then(() => performance.now() - due)
    // The end of this function reports what fails earlier.
    answered.catch(() => undefined)
    visits.push(answered)
  }
  return await Promise.all(visits)
}
