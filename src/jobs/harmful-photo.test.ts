import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Album, Photo } from '../database/schema.ts'
import { createEmbeddedFaceIndex } from '../faces/embedded/embedded-face-index.ts'
import { createFaceWorkers } from '../faces/embedded/networks/face-workers.ts'
import { createSearchThread } from '../faces/embedded/search-thread.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { createLog } from '../log.ts'
import { skippedFiles } from '../photos/owner-queries.ts'
import { photoKey } from '../photos/renditions.ts'
import { domainOfFile } from '../testing/domain-album.ts'
import { samplePath } from '../testing/sample-photos.ts'
import { uploadBatch } from '../uploads/accept-batch.ts'
import { indexPhotos } from './index-photos.ts'

const log = createLog('silent')

const domain = await domainOfFile()
let faces: FaceIndex
let album: Album

beforeEach(async () => {
  album = await domain.newAlbum()
  const staged = [await domain.stage(samplePath(1)), await domain.stage(samplePath(2))]
  await uploadBatch(domain, album, { totalIntendedPhotos: 2 }, staged)
})
afterEach(() => faces.close())

/** @param processorLimit in ms. What grows uses the processor, too: it needs more than a short limit on a busy machine. */
function startEngine(processorLimit: number): void {
  faces = createEmbeddedFaceIndex({
    db: domain.db,
    // Nobody searches here.
    albums: createSearchThread({ address: domain.address, log }),
    workers: createFaceWorkers({
      log,
      size: 1,
      program: new URL('../testing/harmed-face-engine.ts', import.meta.url),
      limits: { processorLimit, timeLimit: 60_000, memoryLimit: 300_000_000 },
    }),
  })
}

const photos = () =>
  domain.db.selectFrom('photos').selectAll().where('album_id', '=', album.id).orderBy('filename').execute()

/** The engine sees this text instead of the photo. */
async function replaceBy(harm: string, { sha256 }: Photo): Promise<void> {
  const key = photoKey(album.id, sha256, 'original')
  await domain.storage.delete(key)
  await domain.storage.write(key, Buffer.from(harm), 'image/jpeg')
}

function attempt({ id }: Photo, attempt: number): Promise<void> {
  const deps = { ...domain, faces, log }
  return indexPhotos.run(deps, { photoId: id }, { attempt })
}

test.each([
  ['hangs', 'Searching this picture for faces took too long.'],
  ['grows', 'Searching this picture for faces took too much memory.'],
  ['crashes', 'The face search crashed twice on this picture.'],
])(
  'a photo on which the engine %s is given up in its first attempt, and its owner reads why',
  async (harm, reason) => {
    startEngine(harm === 'hangs' ? 500 : 30_000)
    const [harmful, harmless] = await photos()
    await replaceBy(harm, harmful!)
    await Promise.all([harmful!, harmless!].map((photo) => attempt(photo, 1)))
    expect(await photos()).toMatchObject([{ state: 'given_up' }, { state: 'indexed', face_count: 1 }])
    const rounds = await domain.db
      .selectFrom('upload_rounds')
      .select(['id', 'completed_at'])
      .where('album_id', '=', album.id)
      .execute()
    expect(rounds).toMatchObject([{ completed_at: expect.any(Date) }])
    expect(await skippedFiles(domain.db, album.id)).toMatchObject([{ filename: 'sample1.jpg', reason }])
  },
)
