import type { Page } from 'playwright-core'
import { findAlbum } from '../../src/albums/queries.ts'
import { wishLinks } from '../../src/albums/wish-links.ts'
import type { TakeOutOutput, WishOutput } from '../../src/contract/take-out.ts'
import { fail, type Scene, scene } from './scene.ts'
import type { Stage } from './stage.ts'
import { sees, type Visitor } from './visitor.ts'

const PHOTOS = 7

/** Opens the page on which the owner answers a guest who wants some photos of the party to be hidden. */
async function openWish(page: Page, { site, party }: Stage): Promise<void> {
  const { db } = site.database
  const album = (await findAlbum(db, { slug: party.albumName }))!
  const photos = await db
    .selectFrom('photos')
    .select('id')
    .where('album_id', '=', album.id)
    .orderBy('filename')
    .limit(PHOTOS)
    .execute()
  const { id } = await db
    .insertInto('take_outs')
    .values({ album_id: album.id, faces: PHOTOS, photos_to_hide: photos.map((photo) => photo.id) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await page.goto(wishLinks(site.context.services.keyring, site.url, album, id).yes)
  await page.getByRole('button', { name: `Hide ${PHOTOS} photos` }).waitFor()
  await page.waitForLoadState('networkidle')
}

/** The page behind the links of the letter about guests' wishes, in each of its states. */
export const WISHES: Scene[] = [
  scene('hide-photos', ({ page }, stage) => openWish(page, stage)),
  scene('hide-photos-hidden', async ({ page }, stage) => {
    const { displayName, albumName } = stage.party
    const data: WishOutput = { displayName, albumName, count: PHOTOS, answer: 'hide', thumbUrls: [] }
    await page.route('**/trpc/wishes.answer**', (route) => route.fulfill({ json: { result: { data } } }))
    await openWish(page, stage)
    await page.getByRole('button', { name: `Hide ${PHOTOS} photos` }).click()
    await sees(page, `${PHOTOS} photos are hidden.`)
  }),
  scene('hide-photos-failed', async ({ page }, stage) => {
    await fail(page, '**/trpc/wishes.answer**')
    await openWish(page, stage)
    await page.getByRole('button', { name: 'Keep them' }).click()
    await sees(page, 'Your answer could not be saved')
  }),
  scene('hide-photos-invalid', async ({ page }) => {
    await page.goto('/hide-photos')
    await sees(page, 'This link is not valid')
  }),
]

async function openTakeOut(visitor: Visitor, { party, selfie }: Stage): Promise<void> {
  const { page } = visitor
  await visitor.signInAs(party.owner)
  await page.goto(`/album/${party.albumName}`)
  const picture = { name: selfie.name, mimeType: 'image/jpeg', buffer: selfie.bytes }
  await page.locator('input[type=file]').first().setInputFiles(picture)
  await page.getByRole('button', { name: 'Search Photos' }).click()
  await page.getByRole('button', { name: 'Take me out of this album' }).click()
  await page.getByRole('button', { name: /^Remove \d+ faces$/ }).waitFor()
}

/** The dialog in which a guest is taken out, in each of its states. */
export const TAKE_OUT: Scene[] = [
  scene('take-out', async (visitor, stage) => {
    await openTakeOut(visitor, stage)
    await visitor.page.getByLabel('Face 2 is me').uncheck()
    await visitor.page.waitForLoadState('networkidle')
  }),
  scene('take-out-failed', async (visitor, stage) => {
    await fail(visitor.page, '**/trpc/albums.takeOut**')
    await openTakeOut(visitor, stage)
    await visitor.page.getByRole('button', { name: /^Remove/ }).click()
    await sees(visitor.page, 'You could not be taken out')
  }),
  scene('take-out-receipt', async (visitor, stage) => {
    const data: TakeOutOutput = {
      receipt: '0d4c7f7e-58a1-4c4b-9b46-9d3f3f6c1c55',
      at: '2026-06-20T18:04:11.000Z',
      facesRemoved: 24,
      photosToHide: 24,
      isKeptOut: true,
    }
    await visitor.page.route('**/trpc/albums.takeOut**', (route) =>
      route.fulfill({ json: { result: { data } } }),
    )
    await openTakeOut(visitor, stage)
    await visitor.page.getByRole('button', { name: /^Remove/ }).click()
    await sees(visitor.page, 'You have been taken out')
  }),
]
