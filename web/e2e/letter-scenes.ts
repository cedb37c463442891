import type { Page } from 'playwright-core'
import { letterLinks } from '../../src/albums/letter-links.ts'
import { findAlbum } from '../../src/albums/queries.ts'
import { fail, hang, type Scene, scene } from './scene.ts'
import type { Stage } from './stage.ts'
import { sees } from './visitor.ts'

async function openStopPage(page: Page, { site, party }: Stage): Promise<void> {
  const album = (await findAlbum(site.database.db, { slug: party.albumName }))!
  await page.goto(letterLinks(site.context.services.keyring, site.url, album).stop)
  await page.getByRole('heading', { name: 'This was not me' }).waitFor()
}

const stop = (page: Page) => page.getByRole('button', { name: 'Stop these letters' }).click()

/** The page behind "This was not me" in each of its states. */
export const LETTERS: Scene[] = [
  scene('stop-letters', ({ page }, stage) => openStopPage(page, stage)),
  scene('stop-letters-stopping', async ({ page }, stage) => {
    await hang(page, '**/trpc/letters.stop**')
    await openStopPage(page, stage)
    await stop(page)
    await sees(page, 'Stopping...')
  }),
  scene('stop-letters-failed', async ({ page }, stage) => {
    await fail(page, '**/trpc/letters.stop**')
    await openStopPage(page, stage)
    await stop(page)
    await sees(page, 'The letters could not be stopped')
  }),
  scene('stop-letters-stopped', async ({ page }, stage) => {
    await openStopPage(page, stage)
    await stop(page)
    await page.getByRole('heading', { name: /stopped$/ }).waitFor()
  }),
  scene('stop-letters-invalid', async ({ page }) => {
    await page.goto('/stop-letters')
    await sees(page, 'This link is not valid')
  }),
]
