import { addCopies, selfieOfSample1 } from './album-visits.ts'
import { siteTest } from './site-test.ts'

export interface AlbumOptions {
  name?: string
  /** How many copies of sample 1 the album has beside it. They have no files. */
  copies?: number
  /** Takes what startSite takes. */
  site?: Parameters<typeof siteTest>[0]
}

/** Gives a file of browser tests its own `test`, with an `album` of photos of the same people, and a `selfie` of one of
 *  them, whose face is that of the indexed photo. */
export function albumTest({ name = 'Garden Party', copies = 0, site: options }: AlbumOptions = {}) {
  const test = siteTest(options)
    .extend('album', { scope: 'file' }, async ({ site }) => {
      const album = await site.createAlbum(name)
      await site.fill(album, [1])
      if (copies > 0) await addCopies(site, album, copies)
      return album
    })
    .extend('selfie', { scope: 'file' }, ({ site, album }) => album && selfieOfSample1(site))
  test.beforeAll(({ selfie }) => void selfie)
  return test
}
