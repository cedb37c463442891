import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  addCopies,
  answerWith,
  choose,
  enterAsGuest,
  enterAsOwner,
  searchWith,
  selfieOfSample1,
} from './album-visits.ts'
import { siteTest } from './site-test.ts'
import { holdBack, sees, seesToast } from './visitor.ts'

const SEARCH = '**/api/search-in-album'

const test = siteTest()
  /** Sample 1 and 40 copies of it. */
  .extend('crowd', { scope: 'file' }, async ({ site }) => {
    const crowd = await site.createAlbum('Garden Party')
    await site.fill(crowd, [1])
    await addCopies(site, crowd, 40)
    return crowd
  })
  /** Sample 4: nobody of sample 1. */
  .extend('others', { scope: 'file' }, async ({ site }) => {
    const others = await site.createAlbum('Other Party')
    await site.fill(others, [4])
    return others
  })
  /** Sample 1. */
  .extend('small', { scope: 'file' }, async ({ site }) => {
    const small = await site.createAlbum('Small Party')
    await site.fill(small, [1])
    return small
  })
  // Its face is that of the indexed photo.
  .extend('selfie', { scope: 'file' }, ({ site, small }) => small && selfieOfSample1(site))
test.beforeAll(({ crowd, others, selfie }) => void [crowd, others, selfie])

const searchButton = (page: Page) => page.getByRole('button', { name: 'Search Photos' })
/** The text of the element that has the focus. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document
    return activeElement === document.body ? 'nothing' : activeElement?.textContent?.trim()
  })
const hasFocus = (page: Page, text: string) =>
  page.waitForFunction((wanted) => document.activeElement?.textContent?.trim() === wanted, text)

test('a guest chooses a selfie and finds the photos they are in', async ({
  page,
  visitor,
  crowd,
  selfie,
}) => {
  await enterAsGuest(visitor, crowd)
  await page
    .getByText('Your selfie is used for this one search and deleted after processing.', {
      exact: false,
    })
    .waitFor()
  await sees(page, 'PNG, JPG, GIF, WEBP up to 10MB')
  expect(await searchButton(page).isDisabled()).toBe(true)
  await choose(page, selfie)
  await sees(page, 'selfie.jpg')
  const { letGo } = await holdBack(page, SEARCH)
  await searchButton(page).click()
  expect(await page.getByRole('button', { name: 'Searching...' }).isDisabled()).toBe(true)
  await page.getByRole('status').getByText('Searching the album for you').waitFor()
  letGo()
  await page.getByRole('heading', { name: 'Found 41 Photos!' }).waitFor()
  expect(await focused(page)).toBe('Found 41 Photos!')
})

test('18 photos are shown, then 18 more with each click, and the focus moves to the first new one', async ({
  page,
  visitor,
  crowd,
  selfie,
}) => {
  await enterAsOwner(visitor, crowd)
  await searchWith(page, selfie)
  const photos = page.locator('main li')
  // Those far above the window are not in the document.
  const focusedPlace = () =>
    page.evaluate(() => {
      const link = document.activeElement?.closest('a')
      return link?.target === '_blank' ? link.closest('li')?.ariaPosInSet : undefined
    })
  await page.getByRole('heading', { name: 'Found 41 Photos!' }).waitFor()
  expect(await photos.count()).toBe(18)
  await page.getByRole('button', { name: 'Show more (23 left)' }).click()
  await page.getByRole('status').getByText('Showing 36 of 41 photos').waitFor()
  expect(await focusedPlace()).toBe('19')
  await page.getByRole('button', { name: 'Show more (5 left)' }).click()
  await page.getByRole('status').getByText('Showing 41 of 41 photos').waitFor()
  expect(await focusedPlace()).toBe('37')
  expect(await photos.last().getAttribute('aria-posinset')).toBe('41')
  expect(await photos.last().getAttribute('aria-setsize')).toBe('41')
  expect(await page.getByRole('button', { name: /Show more/ }).count()).toBe(0)
})

test('more photos than come with the answer are loaded when the visitor asks for them', async ({
  page,
  visitor,
  crowd,
  selfie,
}) => {
  await enterAsOwner(visitor, crowd)
  // The page asks for so many that the album has no second page.
  await page.route(SEARCH, (route) => {
    const body = route.request().postDataBuffer()!.toString('latin1')
    const asked = body.replace(/(name="limit"\r\n\r\n)180/, '$1018')
    return route.continue({ postData: Buffer.from(asked, 'latin1') })
  })
  const NEXT = '**/trpc/albums.foundPhotos*'
  await page.route(NEXT, (route) => route.fulfill({ status: 503, body: 'No' }))
  await searchWith(page, selfie)
  await page.getByRole('heading', { name: 'Found 41 Photos!' }).waitFor()
  const photos = page.locator('main li')
  await page.getByRole('button', { name: 'Show more (23 left)' }).click()
  await seesToast(page, 'The photos could not be loaded')
  expect(await photos.first().getAttribute('aria-setsize')).toBe('18')

  await page.unroute(NEXT)
  const { held, letGo } = await holdBack(page, NEXT)
  await page.getByRole('button', { name: 'Show more (23 left)' }).click()
  await held
  await page.getByRole('button', { name: 'Loading...' }).waitFor()
  letGo()
  await page.getByRole('status').getByText('Showing 36 of 41 photos').waitFor()
  await page.getByRole('button', { name: 'Show more (5 left)' }).click()
  await page.getByRole('status').getByText('Showing 41 of 41 photos').waitFor()
  expect(await page.getByRole('button', { name: /Show more/ }).count()).toBe(0)
  expect(await photos.last().getAttribute('aria-posinset')).toBe('41')
})

test('a click with a modifier opens a photo at full size in a new tab, and it downloads under its own name', async ({
  page,
  visitor,
  small,
  selfie,
}) => {
  await enterAsOwner(visitor, small)
  await searchWith(page, selfie)
  const opened = visitor.context.waitForEvent('page')
  await page.getByRole('link', { name: 'Open sample1.jpg' }).click({ modifiers: ['Control'] })
  const tab = await opened
  // It is an empty page first, which is loaded, too.
  await tab.waitForURL(/\/full\?/)
  expect(await tab.evaluate(() => document.contentType)).toBe('image/jpeg')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download sample1.jpg' }).click()
  expect((await download).suggestedFilename()).toBe('sample1.jpg')
  expect(await (await download).failure()).toBeNull()
})

test('a visitor without a match reads that no photo was found, and can search again', async ({
  page,
  visitor,
  others,
  selfie,
}) => {
  await enterAsOwner(visitor, others)
  await searchWith(page, selfie)
  await page.getByRole('heading', { name: 'No Photos Found' }).waitFor()
  expect(await focused(page)).toBe('No Photos Found')
  await page.getByRole('button', { name: 'Search Again' }).click()
  await page.getByRole('button', { name: /^Upload a selfie/ }).waitFor()
  expect(await focused(page)).toContain('Drop your selfie here')
  expect(await searchButton(page).isDisabled()).toBe(true)
})

test('the heading counts one photo in the singular', async ({ page, visitor, small, selfie }) => {
  await enterAsOwner(visitor, small)
  await searchWith(page, selfie)
  await page.getByRole('heading', { name: 'Found 1 Photo!', exact: true }).waitFor()
})

test('the whole search is done by keyboard alone', async ({ page, visitor, crowd, selfie }) => {
  await enterAsOwner(visitor, crowd)
  await page.getByRole('button', { name: /^Upload a selfie/ }).focus()
  for (const key of ['Enter', 'Space']) {
    const dialog = page.waitForEvent('filechooser')
    await page.keyboard.press(key)
    await (await dialog).setFiles(selfie)
    await hasFocus(page, 'selfie.jpg')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Remove')
    if (key === 'Space') break
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Upload a selfie/ }).waitFor()
    expect(await focused(page)).toContain('Drop your selfie here')
  }
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Add another selfie for better results')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Privacy Policy')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Search Photos')
  await page.keyboard.press('Enter')
  await hasFocus(page, 'Found 41 Photos!')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Upload a selfie/ }).waitFor()
  expect(await focused(page)).toContain('Drop your selfie here')
})

test.for(['No photos found for this face', 'No matches found'])(
  'the answer "%s" is shown as a result, not as a failure',
  async (message, { page, visitor, crowd, selfie }) => {
    await enterAsOwner(visitor, crowd)
    await answerWith(page, SEARCH, 404, message)
    await searchWith(page, selfie)
    await seesToast(
      page,
      'No photos detected',
      'No photos were detected of you in this album. Try uploading a clearer selfie.',
    )
    await sees(page, 'selfie.jpg')
  },
)
