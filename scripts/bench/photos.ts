import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import sharp from 'sharp'
import { BATCH_SIZE } from '../../src/contract/limits.ts'
import type { UploadOutput } from '../../src/contract/photos.ts'
import { samplePhotos } from '../../src/faces/sample-photos.ts'

/** As its bytes come: the picture, and a few behind its end that make it unlike every other. */
type Photo = [picture: Buffer, tail: Buffer]

const CAMERA_WIDTH = 4000
const BOUNDARY = 'bench-of-inframe'

let made = 0

/** Six event photos as a social network hands them out: 1920 pixels wide, 0.2 MB each. */
export function smallPictures(): Buffer[] {
  return samplePhotos()
}

/** The same as a camera writes them: 12 megapixels, 1.1 to 2.4 MB each. */
export async function cameraPictures(): Promise<Buffer[]> {
  return await Promise.all(
    samplePhotos().map((photo) => sharp(photo).resize(CAMERA_WIDTH).jpeg({ quality: 95 }).toBuffer()),
  )
}

/** Photos of these pictures, no two alike in this process: a JPEG may have bytes behind its end. */
export function distinctPhotos(pictures: Buffer[], count: number): Photo[] {
  return Array.from({ length: count }, (_, index) => {
    const tail = Buffer.alloc(8)
    tail.writeBigUInt64BE(BigInt(++made))
    return [pictures[index % pictures.length]!, tail]
  })
}

export interface UploadRun {
  seconds: number
  /** Of the photos alone. */
  bytes: number
}

/** Uploads photos in batches as the web app does, but without its pauses.
 *  @param clients how many send at once, each one batch after the other
 *  @throws Error when the server has not taken every photo */
export async function uploadPhotos(
  url: string,
  ownerKey: string,
  photos: Photo[],
  clients: number,
): Promise<UploadRun> {
  const agent = new Agent({ keepAlive: true })
  const batches = Array.from({ length: Math.ceil(photos.length / BATCH_SIZE) }, (_, index) =>
    photos.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  )
  const start = performance.now()
  const client = async () => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      const address = `${url}/api/albums/${ownerKey}/upload-photos`
      await sendBatch(address, agent, batch, photos.length)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const seconds = (performance.now() - start) / 1000
  agent.destroy()
  return { seconds, bytes: photos.flat().reduce((sum, { length }) => sum + length, 0) }
}

/** Written by hand: FormData and fetch would copy every photo, on the cores that the server needs. */
async function sendBatch(url: string, agent: Agent, batch: Photo[], total: number): Promise<void> {
  const parts = batch.flatMap(([picture, tail], index) => [
    partHead(`name="photos"; filename="photo-${index}.jpg"\r\ncontent-type: image/jpeg`),
    picture,
    tail,
  ])
  const fields = [partHead('name="totalIntendedPhotos"'), Buffer.from(`${total}\r\n--${BOUNDARY}--\r\n`)]
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
