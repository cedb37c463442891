import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Progress } from '../../src/contract/albums.ts'
import { BATCH_SIZE } from '../../src/contract/limits.ts'
import type { UploadOutput } from '../../src/contract/photos.ts'
import { createRestClient } from '../rest-client.ts'
import type { DistinctPhoto } from './photos.ts'

const BOUNDARY = 'bench-of-inframe'

export interface Destination {
  url: string
  ownerKey: string
  /** The number of intended photos; the upload round stays open until all of them are stored. */
  intended: number
}

/** Creates an album at the service at `url`. */
export async function createAlbum(url: string, intended: number, albumName = 'Bench'): Promise<Destination> {
  const album = { email: 'organiser@example.com', albumName }
  const { userAlbum } = await createRestClient(url).post<{ userAlbum: { id: string } }>(
    '/api/user-albums',
    album,
  )
  return { url, ownerKey: userAlbum.id, intended }
}

/** Uploads photos in batches like the web app, but without its pauses.
 *  @param clients how many clients send at the same time, each one batch after another
 *  @throws Error when the server did not accept every photo */
export async function uploadPhotos(to: Destination, photos: DistinctPhoto[], clients = 1): Promise<void> {
  const address = `${to.url}/api/albums/${to.ownerKey}/upload-photos`
  const agent = new Agent({ keepAlive: true })
  const batches = Array.from({ length: Math.ceil(photos.length / BATCH_SIZE) }, (_, index) =>
    photos.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  )
  const client = async () => {
    for (let batch = batches.shift(); batch; batch = batches.shift())
      await sendBatch(address, agent, batch, to.intended)
  }
  await Promise.all(Array.from({ length: clients }, client))
  agent.destroy()
}

/** Waits until this number of the album's photos is indexed. */
export async function untilIndexed(album: Destination, photos: number): Promise<void> {
  while ((await countIndexed(album)) < photos) await pause(200)
}

export async function countIndexed({ url, ownerKey }: Destination): Promise<number> {
  const { photosIndexedToRekognition } = await createRestClient(url).get<Progress>(
    `/api/albums/${ownerKey}/progress`,
  )
  return photosIndexedToRekognition
}

/** Writes the multipart body itself, because FormData and fetch would copy every photo and so take processor time from
 *  the server. */
async function sendBatch(url: string, agent: Agent, batch: DistinctPhoto[], intended: number): Promise<void> {
  const parts = batch.flatMap(([picture, tail], index) => [
    partHead(`name="photos"; filename="photo-${index}.jpg"\r\ncontent-type: image/jpeg`),
    picture,
    tail,
  ])
  const fields = [partHead('name="totalIntendedPhotos"'), Buffer.from(`${intended}\r\n--${BOUNDARY}--\r\n`)]
  const body = [...parts, ...fields]
  const call = request(url, {
    agent,
    method: 'POST',
    headers: {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': body.reduce((sum, { length }) => sum + length, 0),
    },
  })
  const [[response]] = await Promise.all([
    once(call, 'response') as Promise<[IncomingMessage]>,
    pipeline(Readable.from(body), call),
  ])
  const answer = (await json(response)) as Partial<UploadOutput>
  if (response.statusCode !== 200 || answer.successful !== batch.length)
    throw new Error(`A batch was answered with ${response.statusCode}: ${JSON.stringify(answer)}`)
}

function partHead(disposition: string): Buffer {
  return Buffer.from(`\r\n--${BOUNDARY}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n`)
}
