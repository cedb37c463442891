import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { lastSelfieInWork, manySearches } from '../../src/admission/refusals.ts'
import { databaseUnavailable } from '../../src/database/faults.ts'
import { type AppError, HTTP_STATUS } from '../../src/errors.ts'
import { enterAsGuest, searchWith, selfieOfSample1 } from './album-visits.ts'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const SEARCH = '**/api/search-in-album'

const test = siteTest()
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Garden Party')
    await site.fill(album, [1])
    return album
  })
  // Its face is that of the indexed photo.
  .extend('selfie', { scope: 'file' }, ({ site, album }) => album && selfieOfSample1(site))
test.beforeAll(({ selfie }) => void selfie)

/** Answers the next searches with these errors of the service, which ask for this many seconds. The later ones reach
 *  the service. */
async function askForMoments(page: Page, seconds: number, errors: AppError[]): Promise<void> {
  const left = [...errors]
  await page.route(SEARCH, (route) => {
    const error = left.shift()
    if (!error) return route.continue()
    const { code, message } = error
    const headers = { 'retry-after': String(seconds) }
    return route.fulfill({ status: HTTP_STATUS[code], headers, json: { message, error: message, code } })
  })
}

test('when the service asks for a moment, the page says why and how long, and searches again by itself', async ({
  page,
  visitor,
  clock,
  album,
  selfie,
}) => {
  await enterAsGuest(visitor, album)
  const asks = [
    [manySearches(), 'Many guests are searching for their photos at the moment.'],
    [lastSelfieInWork(), 'We are still searching with your last selfie.'],
    [databaseUnavailable(), 'The service cannot search at the moment.'],
  ] as const
  await askForMoments(
    page,
    30,
    asks.map(([error]) => error),
  )
  await searchWith(page, selfie)
  for (const [, why] of asks) {
    const sentence = new RegExp(`^${why} This page tries again by itself in \\d+ seconds\\.$`)
    await page.getByRole('status').getByText(sentence).waitFor()
    expect(await page.getByRole('button', { name: 'Searching...' }).isDisabled()).toBe(true)
    await sees(page, 'selfie.jpg')
    await clock.pass(30_000)
  }
  await page.getByRole('heading', { name: 'Found 1 Photo!' }).waitFor()
})

test('while many guests search, the page waits for its turn, however long that takes', async ({
  page,
  visitor,
  clock,
  album,
  selfie,
}) => {
  await enterAsGuest(visitor, album)
  await askForMoments(page, 100, [manySearches(), manySearches()])
  await searchWith(page, selfie)
  for (const calls of [1, 2]) {
    await expect.poll(async () => (await clock.calls('search-in-album')).length).toBe(calls)
    await page.getByText(/This page tries again by itself in/).waitFor()
    await clock.pass(100_000)
  }
  await page.getByRole('heading', { name: 'Found 1 Photo!' }).waitFor()
})

test('a guest who cancels the wait keeps the selfie, and may search again', async ({
  page,
  visitor,
  clock,
  album,
  selfie,
}) => {
  await enterAsGuest(visitor, album)
  await askForMoments(page, 30, [manySearches()])
  await searchWith(page, selfie)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await sees(page, 'selfie.jpg')
  expect(await page.getByText(/This page tries again by itself/).count()).toBe(0)
  // The keyboard is on the button.
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('Search Photos'))
  await clock.pass(31_000)
  expect(await clock.calls('search-in-album')).toHaveLength(1)
  expect(await page.getByText('Search failed').count()).toBe(0)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Found 1 Photo!' }).waitFor()
})
