import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { continueButton, fillGetStarted } from './get-started.ts'
import { pausesBetween } from './page-clock.ts'
import { siteTest } from './site-test.ts'
import { seesToast } from './visitor.ts'

const test = siteTest({ work: false })

const LIST = '**/trpc/albums.list**'
const CREATE = '**/trpc/albums.create**'

const MINUTE = 60_000

async function openAlbums(page: Page): Promise<void> {
  await page.goto('/albums')
  await page.getByText('No Albums Yet').waitFor()
}

async function visitPrivacy(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Privacy' }).click()
  await page.getByRole('heading', { level: 1, name: 'Privacy Policy' }).waitFor()
}

async function comeBack(page: Page): Promise<void> {
  await page.goBack()
  await page.getByText('No Albums Yet').waitFor()
}

test('a failed query is not tried again by itself', async ({ page, clock }) => {
  await page.route(LIST, (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto('/albums')
  await page.getByText('Failed to fetch albums').waitFor()
  await clock.pass(10 * MINUTE)
  const calls = await clock.calls('/trpc/')
  // The page itself asks, too, if the call that loads ahead has failed before it is there. A retry would come later.
  expect(calls.length).toBeLessThanOrEqual(2)
  for (const pause of pausesBetween(calls)) expect(pause).toBeLessThan(1_000)
})

test('a failed mutation is not tried again by itself', async ({ page, clock }) => {
  await page.route(CREATE, (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto('/get-started')
  await fillGetStarted(page, 'Party')
  await continueButton(page).click()
  await seesToast(page, 'Error')
  await clock.pass(10 * MINUTE)
  expect(await clock.calls('/trpc/')).toHaveLength(1)
})

test('what was loaded is never stale: neither time nor coming back to the tab asks again', async ({
  page,
  clock,
}) => {
  await openAlbums(page)
  await clock.pass(24 * 60 * MINUTE)
  await page.evaluate(() => {
    window.dispatchEvent(new Event('visibilitychange'))
    window.dispatchEvent(new Event('focus'))
  })
  await visitPrivacy(page)
  await comeBack(page)
  expect(await clock.calls('/trpc/')).toHaveLength(1)
})

test('what was loaded stays for five minutes after its page was left, and no longer', async ({
  page,
  clock,
}) => {
  await openAlbums(page)
  await visitPrivacy(page)
  await clock.pass(4.5 * MINUTE)
  await comeBack(page)
  expect(await clock.calls('/trpc/')).toHaveLength(1)

  await visitPrivacy(page)
  await clock.pass(5 * MINUTE)
  await comeBack(page)
  expect(await clock.calls('/trpc/')).toHaveLength(2)
})
