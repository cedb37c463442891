import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findAlbum } from '../../src/albums/queries.ts'
import { hideLinks } from '../../src/opt-outs/owner-links.ts'
import { readSample } from '../../src/testing/client.ts'
import { insertIndexedPhotos } from '../../src/testing/indexed-photos.ts'
import { HIDDEN } from './head.ts'
import { fail } from './scene.ts'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const test = siteTest({ work: false })
  /** A guest wants both photos of a new album to be hidden. */
  .extend('request', async ({ site }) => {
    const { db } = site.database
    const { albumName } = await site.createAlbum('Garden Party')
    const album = (await findAlbum(db, { slug: albumName }))!
    const photos = await insertIndexedPhotos(db, album.id, 2)
    const { id } = await db
      .insertInto('opt_outs')
      .values({ album_id: album.id, state: 'hidden', faces: 2, photos_to_hide: photos })
      .returning('id')
      .executeTakeFirstOrThrow()
    const states = async () =>
      (await db.selectFrom('photos').select('state').where('album_id', '=', album.id).execute()).map(
        ({ state }) => state,
      )
    return { states, ...hideLinks(site.context.services.keyring, site.url, album, id) }
  })

const button = (page: Page, name: string) => page.getByRole('button', { name })

test('the owner hides the photos with the link of the letter, only when the button is pressed, and shows them again', async ({
  page,
  request,
}) => {
  const requests: string[] = []
  page.on('request', (call) => requests.push(call.url()))
  const answer = await page.goto(request.yes)
  expect(answer!.headers()['x-robots-tag']).toBe(HIDDEN)
  await page.getByText('“Garden Party”').waitFor()
  expect(await request.states()).toEqual(['indexed', 'indexed'])
  await button(page, 'Hide 2 photos').click()
  await sees(page, '2 photos are hidden.')
  expect(await request.states()).toEqual(['hidden', 'hidden'])
  await page.reload()
  await button(page, 'Show them again').click()
  await sees(page, '2 photos are shown.')
  expect(await request.states()).toEqual(['indexed', 'indexed'])
  const token = request.yes.split('=')[1]!
  expect(requests.filter((url) => url.includes(token) && !url.startsWith(request.yes))).toEqual([])
})

test('a photo that does not load says so, and is loaded again', async ({ page, request }) => {
  const body = await readSample(1)
  // The album's photos have no files.
  await page.goto(request.yes)
  const again = button(page, 'Try again to load Photo 1')
  await again.waitFor()
  await page.route('**/photos/*/thumb**', (route) => route.fulfill({ contentType: 'image/jpeg', body }))
  await again.waitFor({ state: 'detached' })
  const width = page.getByAltText('Photo 1').evaluate((image: HTMLImageElement) => image.naturalWidth)
  expect(await width).toBeGreaterThan(0)
})

test('the owner keeps the photos with the other link, also after a failure', async ({ page, request }) => {
  await page.goto(request.no)
  await fail(page, '**/trpc/optOuts.answerHideRequest**')
  await button(page, 'Keep them').click()
  await sees(page, 'Your answer could not be saved')
  await page.unroute('**/trpc/optOuts.answerHideRequest**')
  await button(page, 'Keep them').click()
  await sees(page, '2 photos are shown.')
  expect(await request.states()).toEqual(['indexed', 'indexed'])
  await page.goto('/')
  await page.goto(`/hide-photos#yes=${'x'.repeat(43)}`)
  await sees(page, 'This link is not valid')
})
