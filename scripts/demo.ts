import { openAsBlob } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import type { Progress } from '../src/contract/albums.ts'
import { BATCH_PAUSE_MS, BATCH_SIZE, PHOTO_EXTENSIONS } from '../src/contract/limits.ts'
import type { UploadOutput } from '../src/contract/photos.ts'
import type { SearchOutput } from '../src/contract/search.ts'
import { SAMPLES, samplePath } from '../src/testing/sample-photos.ts'
import { createRestClient, type RestClient } from './rest-client.ts'
import { findOrStartServer } from './running-server.ts'

const USAGE = `Usage: npm run demo -- [FOLDER] [--selfie FILE] [--url ADDRESS] [--email ADDRESS] [--name NAME]
                           [--invite CODE]

Shows the whole service, as a client of the REST calls: creates an album, uploads the photos of FOLDER (or six
sample photos), waits until they are indexed, enters with the password, and searches with the selfie.
It uses the Inframe that is running at --url (default: PUBLIC_URL, or this machine and PORT). When none is running,
it starts one and stops it at the end. Where ALBUM_CREATION is invited, --invite gives a code that
npm run album -- invite prints.`

/** A face in sample3.jpg with a margin around it, in pixels. sample1.jpg shows the same person. */
const SAMPLE_SELFIE = { left: 1000, top: 110, width: 420, height: 520 }
const POLL_MS = 500

interface Options {
  folder: string | undefined
  selfie: string | undefined
  url: string
  email: string
  name: string
  /** Needed where ALBUM_CREATION is invited. */
  inviteCode: string | undefined
}

try {
  const options = readOptions()
  const server = await findOrStartServer(options.url)
  try {
    await demonstrate(server.url, options)
    if (server.isOurs)
      console.log('\nInframe was started for this demo and stops now. To open the album, run: npm start')
  } finally {
    await server.stop()
  }
} catch (error) {
  console.error(`\n${(error as Error).message}`)
  process.exitCode = 1
}

function readOptions(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      selfie: { type: 'string' },
      url: { type: 'string' },
      email: { type: 'string', default: 'organiser@example.com' },
      name: { type: 'string', default: 'Demo party' },
      invite: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help || positionals.length > 1) {
    console.log(USAGE)
    process.exit(values.help ? 0 : 1)
  }
  const url = values.url ?? process.env.PUBLIC_URL ?? `http://localhost:${process.env.PORT ?? 3000}`
  return {
    folder: positionals[0],
    selfie: values.selfie,
    url: url.replace(/\/+$/, ''),
    email: values.email,
    name: values.name,
    inviteCode: values.invite,
  }
}

async function demonstrate(url: string, options: Options): Promise<void> {
  const photos = options.folder ? await listPhotos(options.folder) : SAMPLES.map(samplePath)
  const owner = createRestClient(url)
  const { userAlbum } = await owner.post<{ userAlbum: { id: string; albumName: string } }>(
    '/api/user-albums',
    {
      email: options.email,
      albumName: options.name,
      displayName: options.name,
      inviteCode: options.inviteCode,
    },
  )
  await upload(owner, userAlbum.id, photos)
  await waitUntilIndexed(owner, userAlbum.id)

  const { album } = await owner.get<{ album: { albumPassword: string } }>(
    `/api/albums/by-name/${userAlbum.albumName}`,
  )
  const guest = createRestClient(url)
  await guest.post(`/api/albums/${userAlbum.albumName}/authenticate`, { password: album.albumPassword })
  const selfie = await readSelfie(options)
  if (selfie) await searchWith(guest, userAlbum.albumName, selfie)
  else console.log('To search for a person, add --selfie FILE.')

  console.log(`\nLink      ${url}/album/${userAlbum.albumName}`)
  console.log(`Password  ${album.albumPassword}`)
}

/** The JPEG and PNG files in a folder and its subfolders. @throws Error when there are none. */
async function listPhotos(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const photos = entries
    .filter((entry) => entry.isFile() && PHOTO_EXTENSIONS.includes(extname(entry.name).toLowerCase()))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  if (photos.length === 0) throw new Error(`There is no JPEG or PNG photo in ${folder}.`)
  return photos
}

async function upload(owner: RestClient, ownerKey: string, photos: string[]): Promise<void> {
  const totalBatches = Math.ceil(photos.length / BATCH_SIZE)
  for (let batch = 0; batch < totalBatches; batch++) {
    if (batch > 0) await pause(BATCH_PAUSE_MS)
    const files = photos.slice(batch * BATCH_SIZE, (batch + 1) * BATCH_SIZE)
    const form = new FormData()
    form.append('totalIntendedPhotos', String(photos.length))
    form.append('batchNumber', String(batch + 1))
    form.append('totalBatches', String(totalBatches))
    for (const file of files) form.append('photos', await openAsBlob(file), basename(file))
    await sendBatch(owner, ownerKey, form, files.length)
    showProgress('Uploading', Math.min((batch + 1) * BATCH_SIZE, photos.length), photos.length)
  }
  await owner.post(`/api/albums/${ownerKey}/finish-upload`, {})
}

async function sendBatch(owner: RestClient, ownerKey: string, form: FormData, size: number): Promise<void> {
  try {
    const { files } = await owner.post<UploadOutput>(`/api/albums/${ownerKey}/upload-photos`, form)
    for (const { filename, status, message } of files)
      if (status === 'refused') console.log(`\n  ${filename}: ${message}`)
  } catch (error) {
    console.log(`\n  A batch of ${size} photos was not uploaded: ${(error as Error).message}`)
  }
}

async function waitUntilIndexed(owner: RestClient, ownerKey: string): Promise<void> {
  let shown = -1
  while (true) {
    const progress = await owner.get<Progress>(`/api/albums/${ownerKey}/progress`)
    if (progress.photosUploadedToS3 === 0) throw new Error('No photo was uploaded.')
    const indexed = progress.photosIndexedToRekognition
    if (indexed !== shown) showProgress('Indexing ', indexed, progress.photosUploadedToS3)
    shown = indexed
    if (progress.isCompleted && !progress.isIndexingToRekognition) return
    await pause(POLL_MS)
  }
}

async function readSelfie({ selfie, folder }: Options): Promise<Blob | undefined> {
  if (selfie) return await openAsBlob(selfie)
  if (folder) return undefined
  const crop = await sharp(samplePath(3)).extract(SAMPLE_SELFIE).jpeg().toBuffer()
  return new Blob([new Uint8Array(crop)])
}

async function searchWith(guest: RestClient, albumName: string, selfie: Blob): Promise<void> {
  const form = new FormData()
  form.append('photo', selfie, 'selfie.jpg')
  form.append('albumName', albumName)
  const { photos } = await guest.post<SearchOutput>('/api/search-in-album', form)
  if (photos.length === 0) console.log('\nThis person is in no photo.')
  else console.log(`\nThis person is in ${photos.length} ${photos.length === 1 ? 'photo' : 'photos'}:`)
  for (const { filename, similarity } of photos)
    console.log(`  ${filename}  similarity ${similarity.toFixed(1)} of 100`)
}

/** Shows a progress bar. A terminal redraws it in place; other outputs get one line, when it is full. */
function showProgress(label: string, done: number, total: number): void {
  const width = 30
  const filled = Math.round((done / total) * width)
  const bar = `${label} ${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done} of ${total}`
  if (process.stdout.isTTY) process.stdout.write(`\r${bar}${done === total ? '\n' : ''}`)
  else if (done === total) console.log(bar)
}
