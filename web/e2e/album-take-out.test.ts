import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { readSample } from '../../src/testing/client.ts'
import { enterAsGuest, searchWith, selfieOfSample1 } from './album-visits.ts'
import { siteTest } from './site-test.ts'
import { variants } from './stage.ts'
import { sees } from './visitor.ts'

const test = siteTest()
  /** Two photos with the same three faces. */
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Garden Party')
    const bytes = await readSample(1)
    await site.fill(album, [{ name: 'sample1.jpg', bytes }, ...(await variants(bytes, 1))])
    return album
  })
  .extend('selfie', { scope: 'file' }, ({ site, album }) => album && selfieOfSample1(site))
test.beforeAll(({ selfie }) => void selfie)

const open = (page: Page) => page.getByRole('button', { name: 'Take me out of this album' })
const dialog = (page: Page) => page.getByRole('dialog')

test('a guest removes the faces that are theirs, gets a receipt, and is found in the other photo only', async ({
  page,
  site,
  visitor,
  album,
  selfie,
}) => {
  await enterAsGuest(visitor, album)
  await searchWith(page, selfie)
  await sees(page, 'Found 2 Photos!')
  await open(page).click()
  await dialog(page).getByRole('heading', { name: 'Take me out of this album' }).waitFor()
  await page.keyboard.press('Escape')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toBe('Take me out of this album')
  await open(page).click()
  await dialog(page).getByLabel('Face 2 is me').uncheck()
  await dialog(page).getByLabel('Ask the organiser to hide these photos').check()
  await dialog(page).getByRole('button', { name: 'Remove 1 face' }).click()
  await sees(page, 'You have been taken out')
  await dialog(page).getByText('1 face was removed from the search').waitFor()
  await sees(page, 'The organiser is asked to hide 1 photo.')
  const rows = await site.database.db.selectFrom('take_outs').selectAll().execute()
  expect(rows).toMatchObject([{ faces: 1, photos_to_hide: [expect.any(String)] }])
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await searchWith(page, selfie)
  await sees(page, 'Found 1 Photo!')
})
