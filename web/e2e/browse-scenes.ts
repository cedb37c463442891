import type { Page } from 'playwright-core'
import type { AlbumSettings } from '../../src/contract/album-settings.ts'
import { fail, type Scene, scene } from './scene.ts'
import type { Stage } from './stage.ts'
import { sees, type Visitor } from './visitor.ts'

/** Shows the album as if its owner had changed these settings. */
const withSettings = (page: Page, settings: Partial<AlbumSettings>) =>
  page.route('**/trpc/albums.visit*', async (route) => {
    const response = await route.fetch()
    const { result } = await response.json()
    const data = { ...result.data, album: { ...result.data.album, ...settings } }
    await route.fulfill({ response, json: { result: { data } } })
  })

async function openSearch({ page, signInAs }: Visitor, { party }: Stage): Promise<void> {
  await signInAs(party.owner)
  await page.goto(`/album/${party.albumName}`)
  await page.getByRole('button', { name: 'Search Photos' }).waitFor()
  await page.getByRole('button', { name: 'Show the QR code large' }).waitFor()
}

/** The owner may always see all photos. */
async function browse({ page, signInAs }: Visitor, { albumName, owner }: Stage['party']): Promise<void> {
  await signInAs(owner)
  await page.goto(`/album/${albumName}?photos=all`)
}

/** The owner has chosen two photos. */
async function choose(visitor: Visitor, party: Stage['party']): Promise<void> {
  await browse(visitor, party)
  await sees(visitor.page, 'All 24 photos')
  await visitor.page.waitForLoadState('networkidle')
  await visitor.page.getByRole('button', { name: 'Select' }).click()
  for (const place of [0, 1]) await visitor.page.getByRole('checkbox').nth(place).check({ force: true })
  await sees(visitor.page, '2 selected')
}

/** The album page with the settings that its owner may change. */
export const BROWSE: Scene[] = [
  scene('album-search-or-browse', async (visitor, stage) => {
    await withSettings(visitor.page, { browsing: 'on' })
    await openSearch(visitor, stage)
    await visitor.page.getByRole('link', { name: 'Browse all photos' }).waitFor()
  }),
  scene('album-tick-missing', async (visitor, stage) => {
    const { page } = visitor
    const { name, bytes: buffer } = stage.selfie
    await withSettings(page, { consentTick: 'on' })
    await openSearch(visitor, stage)
    await page.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'image/jpeg', buffer })
    await page.getByRole('button', { name: 'Search Photos' }).click()
    await sees(page, 'Please tick the box if you agree')
  }),
  scene('album-browse', async (visitor, { party }) => {
    await browse(visitor, party)
    await sees(visitor.page, 'All 24 photos')
    await visitor.page.waitForLoadState('networkidle')
  }),
  scene('album-browse-choosing', (visitor, { party }) => choose(visitor, party)),
  scene('album-delete-photos', async (visitor, { party }) => {
    await choose(visitor, party)
    await visitor.page.getByRole('button', { name: 'Delete' }).click()
    await sees(visitor.page, 'Delete 2 photos for good?')
  }),
  scene('album-rename', async (visitor, stage) => {
    await openSearch(visitor, stage)
    await visitor.page.getByRole('button', { name: 'Rename' }).click()
    await visitor.page.getByLabel('New name').waitFor()
  }),
  scene('album-browse-failed', async (visitor, { party }) => {
    await fail(visitor.page, '**/trpc/albums.browse*')
    await browse(visitor, party)
    await sees(visitor.page, 'The photos could not be loaded')
  }),
  scene('album-browse-closed', async ({ page }, { party }) => {
    await page.goto(`/album/${party.albumName}?photos=all`)
    await page.getByLabel('Album password').fill(party.password)
    await page.getByRole('button', { name: 'Access Album' }).click()
    await sees(page, 'Not open to guests')
  }),
]
