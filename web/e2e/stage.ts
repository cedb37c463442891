import sharp from 'sharp'
import { LISTED_ALBUMS_SHOWN } from '../../src/contract/limits.ts'
import { addListedAlbums, showInList } from '../../src/testing/album-rows.ts'
import { readSample, type Upload } from '../../src/testing/client.ts'
import { selfieFrom } from '../../src/testing/selfie.ts'
import { addCopies } from './album-visits.ts'
import { type OwnedAlbum, type Site, startSite } from './site.ts'
import { siteTest } from './site-test.ts'

/** Two sites and their albums, in every state that a page can show. */
export interface Stage {
  site: Site
  /** Two dozen photos, all with the same faces, that can be searched. */
  party: OwnedAlbum
  /** Nothing has been uploaded to it. The scenes answer its uploads themselves. */
  fresh: OwnedAlbum
  /** A site that runs no jobs: nothing is ever indexed, no selfie is ever matched. */
  still: Site
  /** Photos that are stored and wait to be indexed. */
  waiting: OwnedAlbum
  /** Nothing has been uploaded to it. */
  empty: OwnedAlbum
  /** A face from the party's photos, and a face that is in none of them. */
  selfie: Upload
  stranger: Upload
}

const PARTY_PHOTOS = 24

/** Gives a file its own `test`, with the `stage` that all its scenes share. */
export function stageTest() {
  const test = siteTest()
    // biome-ignore lint/correctness/noEmptyPattern: Vitest insists on a destructuring pattern.
    .extend('still', { scope: 'file' }, async ({}, { onCleanup }) => {
      const still = await startSite({ work: false })
      onCleanup(() => still.close())
      return still
    })
    .extend('stage', { scope: 'file' }, ({ site, still }) => setStage(site, still))
  test.beforeAll(({ stage }) => void stage)
  return test
}

async function setStage(site: Site, still: Site): Promise<Stage> {
  const first = await readSample(1)
  const party = await site.createAlbum('Mira & Jonas, 20 June')
  const photos = await variants(first, 2)
  await site.fill(party, photos)
  await addCopies(site, party, PARTY_PHOTOS - photos.length)
  // An album of other people.
  const race = await site.createAlbum('Marathon 2025')
  await site.fill(race, [4])
  const { db } = site.database
  for (const name of ['عيد ميلاد ليلى', 'Company Summer Party at the Lake, with Families and Friends'])
    await showInList(db, [(await site.createAlbum(name)).albumName])
  // Together with the others, more than the list shows at first.
  await addListedAlbums(db, 'summer-fair', LISTED_ALBUMS_SHOWN)
  const selfie = await selfieFrom(db, 'IMG_4210.jpg', photos[0]!.bytes)
  const stranger = await selfieFrom(db, 'sample4.jpg', await readSample(4))

  const fresh = await site.createAlbum('Marathon 2025')
  const waiting = await still.createAlbum('Mira & Jonas, 20 June')
  const empty = await still.createAlbum('Marathon 2025')
  await waiting.owner.uploadPhotos(waiting.ownerKey, await variants(first, 4), { totalIntendedPhotos: 9 })

  return {
    site,
    party,
    fresh,
    still,
    waiting,
    empty,
    selfie: { name: 'me.jpg', bytes: selfie },
    stranger: { name: 'me.jpg', bytes: stranger },
  }
}

/** Copies of a photo with the same faces. Their bytes differ, and every second one is mirrored.
 *  @param width of the largest, in pixels */
export function variants(photo: Buffer, count: number, width = 1200): Promise<Upload[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => ({
      name: `IMG_${4210 + index}.jpg`,
      bytes: await sharp(photo)
        .resize({ width: width - index })
        .flop(index % 2 === 1)
        .jpeg()
        .toBuffer(),
    })),
  )
}
