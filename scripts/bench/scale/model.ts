import { figure, printTable } from '../report.ts'
import { count } from './lines.ts'

/** What one of each thing costs, measured on two cores. `npm run bench -- scale` compares some of them with what it
 *  measures. */
export const COSTS = {
  facesOfPhoto: 4.6,
  /** Bytes in Postgres, with indexes. */
  photoInPostgres: 400,
  faceInPostgres: 960,
  /** Bytes in the memory of a process that searches the album: see src/faces/embedded/album-vectors.ts. */
  faceInMemory: 136,
  /** Ms of processor time of a process that searches. */
  faceLoaded: 0.005,
  faceCompared: 0.000_15,
  /** Ms of processor time for one of each, without Postgres. A selfie is decoded, described and answered. */
  photoIndexed: 270,
  photoStored: 60,
  selfie: 200,
  poll: 0.6,
  thumbnail: 1.5,
  /** Bytes of files. */
  original: 3_500_000,
  preview: 350_000,
  thumbnailBytes: 40_000,
}

/** Of a photo: its folder, original, preview and thumbnail. */
const INODES = 4

/** What people do. All photos are sent and indexed in eight hours. Every page asks every two seconds. All guests come within
 *  ten minutes; each sends one selfie and looks at 36 thumbnails. */
const UPLOAD_S = 8 * 3_600
const POLL_EVERY_S = 2
const ARRIVAL_S = 600
const THUMBNAILS = 36

export interface Load {
  /** In all albums together. */
  photos: number
  albums: number
  /** With an open page at the same time. */
  guests: number
}

/** Bytes that albums add to Postgres. */
export const databaseBytes = (photos: number, faces: number) =>
  photos * COSTS.photoInPostgres + faces * COSTS.faceInPostgres

/** Bytes that an album takes in a process that searches it. */
export const memoryBytes = (faces: number) => faces * COSTS.faceInMemory

/** Processor time in ms that the first search of an album needs beside that of the second. */
export const loadingMs = (faces: number) => faces * COSTS.faceLoaded

/** Processor time in ms that a search needs beside that of a search in an album of six photos. */
export const comparingMs = (faces: number) => faces * COSTS.faceCompared

/** What a load needs of each resource, as text. */
function needsOf({ photos, albums, guests }: Load): [resource: string, need: string, from: string][] {
  const faces = photos * COSTS.facesOfPhoto
  const photosPerSecond = photos / UPLOAD_S
  const selfiesPerSecond = guests / ARRIVAL_S
  const polls = guests / POLL_EVERY_S
  const thumbnails = (guests * THUMBNAILS) / ARRIVAL_S
  const comparing = comparingMs(faces / albums)
  const cores = (perSecond: number, ms: number) => `${figure((perSecond * ms) / 1_000)} cores`
  const rate = (perSecond: number) => `${figure(perSecond)}/s`
  return [
    ['face engines, photos', cores(photosPerSecond, COSTS.photoIndexed), rate(photosPerSecond)],
    ['face engines, selfies', cores(selfiesPerSecond, COSTS.selfie), rate(selfiesPerSecond)],
    ['webs, uploads', cores(photosPerSecond, COSTS.photoStored), rate(photosPerSecond)],
    ['webs, polls', cores(polls, COSTS.poll), rate(polls)],
    ['webs, thumbnails', cores(thumbnails, COSTS.thumbnail), rate(thumbnails)],
    ['webs, comparing faces', cores(selfiesPerSecond, comparing), `${figure(comparing)} ms a selfie`],
    ['memory of a web that searches all albums', gigabytes(memoryBytes(faces)), `${count(faces)} faces`],
    ['Postgres', gigabytes(databaseBytes(photos, faces)), `${count(photos + 2 * faces)} rows`],
    ['jobs', rate(photosPerSecond), 'one a photo'],
    ['files', gigabytes(photos * (COSTS.original + COSTS.preview + COSTS.thumbnailBytes)), ''],
    ['inodes', count(INODES * photos), `${INODES} a photo`],
    ['network, in', megabits(photosPerSecond * COSTS.original), 'originals'],
    ['network, out', megabits(thumbnails * COSTS.thumbnailBytes), 'thumbnails'],
  ]
}

const gigabytes = (bytes: number) => `${figure(bytes / 1e9)} GB`
const megabits = (bytes: number) => `${figure((bytes * 8) / 1e6)} Mbit/s`

/** `npm run bench -- model -- PHOTOS ALBUMS GUESTS` prints what an installation of that size needs. docs/scale.md explains it. */
export async function printModel(parameters: string[]): Promise<void> {
  const [photos = 1_000_000, albums = 2_000, guests = 10_000] = parameters.map(Number)
  if (![photos, albums, guests].every((number) => number > 0)) {
    console.error('Usage: npm run bench -- model -- PHOTOS ALBUMS GUESTS. Each is a number.')
    process.exitCode = 1
    return
  }
  const title = `${count(photos)} photos, ${count(albums)} albums, ${count(guests)} guests at once`
  printTable([title, 'need', ''], needsOf({ photos, albums, guests }))
}
