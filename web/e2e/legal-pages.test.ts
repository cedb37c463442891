import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const test = siteTest({ work: false })

/** The running text below a heading. */
const section = (page: Page, heading: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: heading, exact: true }) })

test('the privacy policy is dated and names everything that is collected', async ({ page }) => {
  await page.goto('/privacy-policy')
  await page.getByRole('heading', { name: 'Privacy Policy', level: 1 }).waitFor()
  expect(await page.title()).toBe('Privacy Policy · Inframe')
  await sees(page, 'Last updated: August 19, 2025')
  for (const item of ['Email address', 'Album names', 'Uploaded photos', 'IP and device data'])
    await section(page, 'What we collect').getByText(item, { exact: true }).waitFor()
  expect(await section(page, 'What we collect').innerText()).toMatch(/where the face is.*how sharp.*turned/s)
})

test('the privacy policy says how long selfies and what they found are kept', async ({ page }) => {
  await page.goto('/privacy-policy')
  await section(page, 'Selfies').getByText('selfies are deleted within 5 minutes', { exact: true }).waitFor()
  expect(await section(page, 'Selfies').innerText()).toMatch(
    /30 seconds after you have seen it, and at most for an hour/,
  )
})

test('the privacy policy says how consent is given, what is kept of it, and how to do without a selfie', async ({
  page,
}) => {
  await page.goto('/privacy-policy')
  const selfies = await section(page, 'Selfies').innerText()
  expect(selfies).toMatch(
    /press the button.*count these consents in each minute, once for each search.*which version.*not keep who/s,
  )
  expect(selfies).toMatch(/all photos of an album instead/)
})

test('the privacy policy says what a browser keeps of a guest, where, how long, and how to delete it', async ({
  page,
}) => {
  await page.goto('/privacy-policy')
  const text = await section(page, 'Coming back without a selfie').innerText()
  expect(text).toMatch(/your browser keeps.*biometric data.*does not store the text/s)
  expect(text).toMatch(/at most 30 days.*password changes.*"Forget me".*"Log out"/s)
  expect(await section(page, 'What stays in your browser').innerText()).toMatch(/asked to be remembered/)
})

test('the privacy policy says who else receives something, what stays in the browser, and for how long there is a record', async ({
  page,
}) => {
  await page.goto('/privacy-policy')
  expect(await section(page, 'Who else receives something').innerText()).toMatch(/Google Analytics/)
  expect(await section(page, 'What stays in your browser').innerText()).toMatch(/cookie/)
  expect(await section(page, 'How long we keep it').innerText()).toMatch(
    /90 days.*record.*not the address itself/s,
  )
})

test('the terms of service are dated and say what binds organisers and guests', async ({ page }) => {
  await page.goto('/terms-of-service')
  await page.getByRole('heading', { name: 'Terms of Service', level: 1 }).waitFor()
  expect(await page.title()).toBe('Terms of Service · Inframe')
  await sees(page, 'Last updated: August 19, 2025')
  expect(await section(page, 'If you create an album').innerText()).toMatch(/at most 5 MB each/)
  expect(await section(page, 'If you are a guest').innerText()).toMatch(/your own face/)
})

test('both say below the date what was added since, each with its date', async ({ page }) => {
  for (const path of ['/privacy-policy', '/terms-of-service']) {
    await page.goto(path)
    const additions = page.getByRole('region', { name: 'Additions since' })
    expect(await additions.getByRole('listitem').last().innerText()).toMatch(/^[A-Z][a-z]+ \d+, 2026: /)
    expect(await page.getByRole('main').innerText()).toMatch(
      /Last updated: August 19, 2025.*Additions since/s,
    )
  }
})

test('every page links to both', async ({ page }) => {
  await page.goto('/albums')
  await page.getByRole('link', { name: 'Terms' }).click()
  await page.getByRole('heading', { name: 'Terms of Service', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Privacy' }).click()
  await page.getByRole('heading', { name: 'Privacy Policy', level: 1 }).waitFor()
})
