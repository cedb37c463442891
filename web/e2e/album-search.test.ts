import { beforeAll, expect, test } from 'vitest'
import {
  addCopies,
  answerWith,
  type ChosenFile,
  choose,
  enterAsGuest,
  enterAsOwner,
  searchWith,
  selfieOfSample1,
} from './album-visits.ts'
import { openSite, page, site, visitInEachTest, visitor } from './open-site.ts'
import type { OwnedAlbum } from './site.ts'
import { holdBack, sees, seesToast } from './visitor.ts'

openSite()
visitInEachTest()

const SEARCH = '**/api/search-in-album'

/** Sample 1 and 40 copies of it. */
let crowd: OwnedAlbum
/** Sample 4: nobody of sample 1. */
let others: OwnedAlbum
/** Sample 1. */
let small: OwnedAlbum
let selfie: ChosenFile

beforeAll(async () => {
  crowd = await site.createAlbum('Garden Party')
  others = await site.createAlbum('Other Party')
  small = await site.createAlbum('Small Party')
  await site.fill(crowd, [1])
  await site.fill(small, [1])
  await site.fill(others, [4])
  await addCopies(site, crowd, 40)
  selfie = await selfieOfSample1(site)
}, 180_000)

const searchButton = () => page.getByRole('button', { name: 'Search Photos' })
/** The text of the element that has the focus. */
const focused = () =>
  page.evaluate(() => {
    const { activeElement } = document
    return activeElement === document.body ? 'nothing' : activeElement?.textContent?.trim()
  })
const hasFocus = (text: string) =>
  page.waitForFunction((wanted) => document.activeElement?.textContent?.trim() === wanted, text)

test('a guest chooses a selfie and finds the photos they are in', async () => {
  await enterAsGuest(visitor, crowd)
  await page
    .getByText('Your selfie is used for this one search and deleted after processing.', { exact: false })
    .waitFor()
  await sees(page, 'PNG, JPG, GIF, WEBP up to 10MB')
  expect(await searchButton().isDisabled()).toBe(true)
  await choose(page, selfie)
  await sees(page, 'selfie.jpg')
  const { letGo } = await holdBack(page, SEARCH)
  await searchButton().click()
  expect(await page.getByRole('button', { name: 'Searching...' }).isDisabled()).toBe(true)
  await page.getByRole('status').getByText('Searching the album for you').waitFor()
  letGo()
  await page.getByRole('heading', { name: 'Found 41 Photos!' }).waitFor()
  expect(await focused()).toBe('Found 41 Photos!')
})

test('18 photos are shown, then 18 more with each click, and the keyboard goes on at the first new one', async () => {
  await enterAsOwner(visitor, crowd)
  await searchWith(page, selfie)
  const photos = page.locator('main li')
  const open = page.getByRole('link', { name: /at full size in a new tab/ })
  await page.getByRole('heading', { name: 'Found 41 Photos!' }).waitFor()
  expect(await photos.count()).toBe(18)
  await page.getByRole('button', { name: 'Show more (23 left)' }).click()
  await page.getByRole('status').getByText('Showing 36 of 41 photos').waitFor()
  expect(await open.nth(18).evaluate((link) => link === document.activeElement)).toBe(true)
  await page.getByRole('button', { name: 'Show more (5 left)' }).click()
  await page.getByRole('status').getByText('Showing 41 of 41 photos').waitFor()
  expect(await open.nth(36).evaluate((link) => link === document.activeElement)).toBe(true)
  expect(await photos.count()).toBe(41)
  expect(await page.getByRole('button', { name: /Show more/ }).count()).toBe(0)
})

test('a photo opens at full size in a new tab, and downloads under its own name', async () => {
  await enterAsOwner(visitor, crowd)
  await searchWith(page, selfie)
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Open sample1.jpg at full size in a new tab' }).click()
  const tab = await opened
  await tab.waitForLoadState()
  expect(await tab.evaluate(() => document.contentType)).toBe('image/jpeg')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download sample1.jpg' }).click()
  expect((await download).suggestedFilename()).toBe('sample1.jpg')
  expect(await (await download).failure()).toBeNull()
})

test('a visitor who is in no photo reads so, and can search again', async () => {
  await enterAsOwner(visitor, others)
  await searchWith(page, selfie)
  await page.getByRole('heading', { name: 'No Photos Found' }).waitFor()
  expect(await focused()).toBe('No Photos Found')
  await page.getByRole('button', { name: 'Search Again' }).click()
  await page.getByRole('button', { name: /^Upload a selfie/ }).waitFor()
  expect(await focused()).toContain('Drop your selfie here')
  expect(await searchButton().isDisabled()).toBe(true)
})

test('the heading counts one photo in the singular', async () => {
  await enterAsOwner(visitor, small)
  await searchWith(page, selfie)
  await page.getByRole('heading', { name: 'Found 1 Photo!', exact: true }).waitFor()
})

test('the whole search is done by keyboard alone', async () => {
  await enterAsOwner(visitor, crowd)
  await page.getByRole('button', { name: /^Upload a selfie/ }).focus()
  for (const key of ['Enter', 'Space']) {
    const dialog = page.waitForEvent('filechooser')
    await page.keyboard.press(key)
    await (await dialog).setFiles(selfie)
    await hasFocus('selfie.jpg')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Remove')
    if (key === 'Space') break
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Upload a selfie/ }).waitFor()
    expect(await focused()).toContain('Drop your selfie here')
  }
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Search Photos')
  await page.keyboard.press('Enter')
  await hasFocus('Found 41 Photos!')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Upload a selfie/ }).waitFor()
  expect(await focused()).toContain('Drop your selfie here')
})

test.each(['No photos found for this face', 'No matches found'])(
  'an answer of "%s" is no failure',
  async (message) => {
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
