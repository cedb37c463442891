import { join } from 'node:path'
import type { ZipOutput } from '../../src/contract/zips.ts'
import { createKeyring } from '../../src/keyring.ts'
import { createPhotoLinks } from '../../src/photos/links.ts'
import { waitUntil } from '../../src/testing/wait.ts'
import { cameraPictures, distinct } from './photos.ts'
import { figure, median, msOf, printLines } from './report.ts'
import { createSite, start, startYardstick } from './service.ts'
import { load, openAlbum, upload } from './visitors.ts'

const DOWNLOADS = 9

/** Downloads a zip of photos of a camera. The yardstick is a bare stream of the same files, and both take turns. */
export async function benchZip([photos = '120']: string[]): Promise<void> {
  const { env, url, db, dataDir } = await createSite()
  await start('web', env)
  const album = await openAlbum(url)
  const pictures = await cameraPictures()
  await upload(album, Number(photos), (index) => distinct(pictures[index % pictures.length]!))
  const links = createPhotoLinks({ keyring: createKeyring([env.SECRET_KEY!]) })
  const stored = await db.selectFrom('photos').select('id').execute()
  // The first time, the photos are made upright and freed of metadata. That is not measured here.
  const zip = await waitUntil('the zip', async () => {
    const asked = { photos: stored.map(({ id }) => links.sign(id, 1).downloadUrl) }
    const { parts } = (await album.owner.post('/api/zips', asked)).body as ZipOutput
    return parts[0]
  })
  const bare = await startYardstick(join(dataDir, 'files'))

  const zips: number[] = []
  const streams: number[] = []
  for (let download = 0; download < DOWNLOADS; download++) {
    zips.push(await rateOf(url + new URL(zip.url).pathname, zip.bytes))
    streams.push(await rateOf(`${bare.url}/files`, 1))
  }
  printLines(`A zip of ${zip.photos} photos, ${figure(zip.bytes / 1e6)} MB`, 'bare stream of the files', [
    {
      what: `median of ${DOWNLOADS} downloads`,
      measured: median(zips),
      yardstick: median(streams),
      unit: 'MB/s',
    },
  ])
}

/** @returns MB a second
 *  @param least the bytes that must come */
async function rateOf(url: string, least: number): Promise<number> {
  let bytes = 0
  const ms = await msOf(async () => {
    bytes = await load(url)
  })
  if (bytes < least) throw new Error(`A download ended after ${bytes} bytes`)
  return bytes / 1e3 / ms
}
