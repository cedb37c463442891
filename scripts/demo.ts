import { openAsBlob } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import type { EnteredAlbum, Progress } from '../src/contract/albums/albums.ts'
import { BATCH_PAUSE_MS, BATCH_SIZE, PHOTO_EXTENSIONS } from '../src/contract/limits.ts'
import type { UploadOutput } from '../src/contract/photos.ts'
import type { SearchOutput } from '../src/contract/search.ts'
import { startService } from '../src/testing/process.ts'
import { SAMPLES, samplePath } from '../src/testing/sample-photos.ts'
import buildWeb from '../web/e2e/built-web.ts'
import { runCommand } from './command-context.ts'
import { createRestClient, type RestClient } from './rest-client.ts'

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

const { PUBLIC_URL, PORT = '3000' } = process.env
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    selfie: { type: 'string' },
    url: { type: 'string', default: PUBLIC_URL ?? `http://localhost:${PORT}` },
    email: { type: 'string', default: 'organiser@example.com' },
    name: { type: 'string', default: 'Demo party' },
    invite: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
})
const [folder] = positionals

await runCommand(async () => {
  if (values.help || positionals.length > 1) return console.log(USAGE)
  const url = values.url.replace(/\/+$/, '')
  if (await isRunning(url)) return await demonstrate(url)
  console.log(`Inframe is not running at ${url}. Starting it for this demo.`)
  await buildWeb()
  const { url: started, child, ended } = await startService({ ...(process.env as Record<string, string>) })
  try {
    await demonstrate(started)
    console.log('\nInframe was started for this demo and stops now. To open the album, run: npm start')
  } finally {
    child.kill('SIGTERM')
    await ended
  }
})

async function isRunning(url: string): Promise<boolean> {
  const albums = createRestClient(url).get('/api/albums/list')
  return await albums.then(Array.isArray, () => false)
}

async function demonstrate(url: string): Promise<void> {
  const photos = folder ? await listPhotos(folder) : SAMPLES.map(samplePath)
  const owner = createRestClient(url)
  const { email, name, invite } = values
  const { userAlbum } = await owner.post<{ userAlbum: { id: string; albumName: string } }>(
    '/api/user-albums',
    { email, albumName: name, displayName: name, inviteCode: invite },
  )
  await upload(owner, userAlbum.id, photos)
  await waitUntilIndexed(owner, userAlbum.id)

  const { albumName } = userAlbum
  const { album } = await owner.get<{ album: EnteredAlbum }>(`/api/albums/by-name/${albumName}`)
  const guest = createRestClient(url)
  await guest.post(`/api/albums/${albumName}/authenticate`, { password: album.albumPassword })
  const selfie = await readSelfie()
  if (selfie) await searchWith(guest, albumName, selfie)
  else console.log('To search for a person, add --selfie FILE.')
  console.log(`\nLink      ${url}/album/${albumName}\nPassword  ${album.albumPassword}`)
}

/** The JPEG and PNG files in a folder and its subfolders. @throws Error when there are none */
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
  for (let sent = 0; sent < photos.length; sent += BATCH_SIZE) {
    if (sent > 0) await pause(BATCH_PAUSE_MS)
    const form = new FormData()
    form.append('totalIntendedPhotos', String(photos.length))
    const batch = photos.slice(sent, sent + BATCH_SIZE)
    for (const file of batch) form.append('photos', await openAsBlob(file), basename(file))
    const { files } = await owner.post<UploadOutput>(`/api/albums/${ownerKey}/upload-photos`, form)
    for (const { filename, status, message } of files)
      if (status === 'refused') console.log(`\n  ${filename}: ${message}`)
    showProgress('Uploading:', sent + batch.length, photos.length)
  }
  await owner.post(`/api/albums/${ownerKey}/finish-upload`, {})
}

async function waitUntilIndexed(owner: RestClient, ownerKey: string): Promise<void> {
  for (let shown = -1; ; await pause(POLL_MS)) {
    const progress = await owner.get<Progress>(`/api/albums/${ownerKey}/progress`)
    const { photosIndexedToRekognition: indexed, photosUploadedToS3: uploaded } = progress
    if (uploaded === 0) throw new Error('No photo was uploaded.')
    if (indexed !== shown) showProgress('Indexing: ', indexed, uploaded)
    shown = indexed
    if (progress.isCompleted && !progress.isIndexingToRekognition) return
  }
}

async function readSelfie(): Promise<Blob | undefined> {
  if (values.selfie) return await openAsBlob(values.selfie)
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

/** A terminal redraws the line in place; other outputs get it once, at the end. */
function showProgress(label: string, done: number, total: number): void {
  const line = `${label} ${done} of ${total}`
  if (process.stdout.isTTY) process.stdout.write(`\r${line}${done === total ? '\n' : ''}`)
  else if (done === total) console.log(line)
}
