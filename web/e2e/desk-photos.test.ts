import { expect } from 'vitest'
import { PHOTOS_LOADED_AT_ONCE } from '../../src/contract/limits.ts'
import { fillWithRows } from './album-visits.ts'
import { expectNoAxeFault } from './axe.ts'
import { siteTest } from './site-test.ts'
import { answerThumbnails } from './thumbnails.ts'
import { holdBack, sees } from './visitor.ts'

const test = siteTest()

test('an organiser chooses a range, mends the clock of a camera, and tries again what was given up', async ({
  site,
  visit,
}) => {
  const album = await site.createAlbum('Two Cameras')
  await fillWithRows(site, album, 4)
  const { db } = site.database
  const taken: [camera: string, time: string][] = [
    ['A', '14:00:00'],
    ['A', '15:00:00'],
    ['B', '13:02:00'],
    ['B', '14:30:00'],
  ]
  for (const [index, [camera, time]] of taken.entries())
    await db
      .updateTable('photos')
      .set({ camera, taken_at: `2025-08-19T${time}` })
      .where('filename', '=', `${index + 1}.jpg`)
      .execute()
  const { page, ...visitor } = await visit({})
  await answerThumbnails(page)
  await visitor.signInAs(album.owner)
  await page.goto(`/manage/${album.albumName}/photos`)
  const names = () => page.getByRole('link', { name: /^Open / }).allInnerTexts()
  const inOrder = async (order: string) =>
    await expect.poll(async () => (await names()).join().replace(/\D+/g, '')).toBe(order)
  await inOrder('3142')

  await page.getByRole('button', { name: 'Camera clocks' }).click()
  await page.getByLabel('Camera to set right').selectOption('B')
  await page.getByRole('radio').nth(0).check({ force: true })
  await page.getByRole('radio').nth(2).check({ force: true })
  await expect.poll(() => page.getByLabel('Minutes').inputValue()).toBe('58')
  await expectNoAxeFault(page)
  await page.getByRole('button', { name: 'Shift the clock' }).click()
  await inOrder('1324')
  await page.getByRole('button', { name: 'Undo the shift' }).click()
  await inOrder('3142')

  await page.getByRole('button', { name: 'Select' }).click()
  const boxes = page.getByRole('checkbox', { name: /jpg$/ })
  await boxes.nth(0).click({ force: true })
  await boxes.nth(2).click({ force: true, modifiers: ['Shift'] })
  await sees(page, '3 selected')
  // Their list may be asked for before they are hidden.
  const { held, letGo } = await holdBack(page, '**/trpc/albums.hidePhotos*')
  await page.getByRole('button', { name: 'Hide' }).click()
  await held
  await page.getByLabel('Which photos').selectOption('hidden')
  await sees(page, 'No photos here')
  letGo()
  await sees(page, '3 photos')
  expect(new URL(page.url()).searchParams.get('which')).toBe('hidden')

  await db
    .updateTable('photos')
    .set({ state: 'given_up', face_count: null, given_up_reason: 'It was too dark' })
    .where('filename', '=', '2.jpg')
    .execute()
  await page.goto(`/manage/${album.albumName}`)
  await page.getByRole('button', { name: 'Try them again' }).click()
  await page.getByRole('link', { name: /^(Waiting|Could not be).*: 1 photo$/ }).waitFor()
  await sees(page, '1 photo is tried again')
})

test('all photos of a large album come as the organiser scrolls to its end', async ({ site, visit }) => {
  const album = await site.createAlbum('Long Night')
  await fillWithRows(site, album, 2 * PHOTOS_LOADED_AT_ONCE)
  const { page, signInAs } = await visit({})
  await answerThumbnails(page)
  await signInAs(album.owner)
  await page.goto(`/manage/${album.albumName}/photos`)
  await page.getByRole('link', { name: 'Open 1.jpg' }).waitFor()
  await expect
    .poll(async () => {
      await page.keyboard.press('End')
      return await page.getByRole('link', { name: `Open ${2 * PHOTOS_LOADED_AT_ONCE}.jpg` }).count()
    })
    .toBe(1)
  await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' })
})
