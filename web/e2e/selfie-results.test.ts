import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect } from 'vitest'
import { RESULTS_POLL_MS } from '../../src/contract/limits.ts'
import { waitUntil } from '../../src/testing/wait.ts'
import { HIDDEN, headOf } from './head.ts'
import { pausesBetween } from './page-clock.ts'
import { resultsTest } from './results-page.ts'
import { holdBack, newVisitor, sees } from './visitor.ts'

const HOUR = 3_600_000

const test = resultsTest()

describe('while a selfie is being processed', () => {
  test('the page asks every two seconds, until it is', async ({ page, submissions, clock, results }) => {
    const { calls, callsOf } = results
    const id = await submissions.submit()
    await page.goto(`/selfie/results/${id}`)
    await sees(page, 'Processing Your Photo')
    await sees(page, 'Please wait while we search for your photos...')
    expect(await headOf(page)).toEqual({ title: 'Your photos · Inframe', robots: HIDDEN })

    for (let poll = 0; poll < 3; poll++) {
      await waitUntil('one more answer', async () => (await callsOf('results'))[poll]?.answeredAt)
      if (poll < 2) await clock.pass(RESULTS_POLL_MS)
    }
    await submissions.match(id, 2)
    await clock.pass(RESULTS_POLL_MS)
    await sees(page, 'We found 2 photos of you.')
    const polls = await callsOf('results')
    for (const pause of pausesBetween(polls)) {
      expect(pause).toBeGreaterThanOrEqual(2_000)
      expect(pause).toBeLessThan(3_000)
    }
    await clock.pass(20_000)
    // These results are never fresh, so only the query default keeps a return to the tab from asking again.
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await clock.pass(5_000)
    expect(await calls()).toEqual(polls.map(() => 'results'))
  })

  test('the page says that there is no connection, and continues when there is one again', async ({
    page,
    submissions,
    clock,
    visitor,
  }) => {
    const id = await submissions.submit()
    await page.goto(`/selfie/results/${id}`)
    await sees(page, 'Processing Your Photo')
    await visitor.context.setOffline(true)
    await clock.pass(RESULTS_POLL_MS)
    await sees(page, 'The service could not be reached. Please check your internet connection.')
    await submissions.match(id, 1)
    await visitor.context.setOffline(false)
    await clock.pass(RESULTS_POLL_MS)
    await sees(page, 'We found 1 photo of you.')
  })
})

describe('results', () => {
  test('are shown as a gallery whose photos a middle click opens at full size in a new tab', async ({
    browser,
    site,
    results,
  }) => {
    const { matched } = results
    // Not left by leave(), which checks the content policy: Chromium's own page around a picture breaks it.
    const { page, context } = await newVisitor(browser, site.url)
    await page.goto(`/selfie/results/${await matched(2)}`)
    await sees(page, 'We found 2 photos of you.')
    await page.getByText(/^Thank you for using Inframe\. Selfies are deleted after processing/).waitFor()
    await page
      .getByText(/we delete these results 30 seconds .+ a reload will not bring them back\.$/)
      .waitFor()
    const thumbs = page.getByRole('listitem').locator('img')
    await expect
      .poll(() => thumbs.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth)))
      .toEqual([640, 640])

    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Open IMG_4210.jpg' }).click({ button: 'middle' }),
    ])
    // A busy browser may never say that a tab in the background has loaded.
    await tab.waitForURL('**/full?*', { waitUntil: 'commit' })
    await expect.poll(() => tab.evaluate(() => document.querySelector('img')?.naturalWidth)).toBe(1200)
    expect(await tab.evaluate(() => window.opener)).toBeNull()
    await context.close()
  })

  test.for([
    [390, 1],
    [700, 2],
    [800, 3],
    [1280, 4],
  ] as const)('at %i px are in %i columns', async ([width, columns], { page, results }) => {
    const { openMatched } = results
    await page.setViewportSize({ width, height: 800 })
    await openMatched(5)
    const lefts = await page
      .getByRole('listitem')
      .evaluateAll((all) => all.map((item) => item.getBoundingClientRect().left))
    expect(new Set(lefts).size).toBe(columns)
  })

  test('are downloaded from a link that appears with the mouse or the keyboard', async ({
    page,
    results,
  }) => {
    const { openMatched } = results
    await openMatched(2)
    const download = page.getByRole('link', { name: 'Download IMG_4210.jpg' })
    const opacity = () => download.evaluate((link) => getComputedStyle(link).opacity)
    expect(await download.textContent()).toBe('Download')
    expect(await opacity()).toBe('0')
    await page.getByRole('listitem').first().hover()
    await expect.poll(opacity).toBe('1')
    await page.mouse.move(0, 0)
    await expect.poll(opacity).toBe('0')

    // Past "Download all 2", "Select", and the photo itself.
    for (let pressed = 0; pressed < 4; pressed++) await page.keyboard.press('Tab')
    await expect.poll(opacity).toBe('1')
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    expect(file.suggestedFilename()).toBe('IMG_4210.jpg')
    expect((await sharp(await readFile(await file.path())).metadata()).width).toBe(1200)
  })

  test('always offer the download where there is no mouse', async ({ visit, results }) => {
    const { matched } = results
    const phone = await visit({ device: 'phone' })
    await phone.page.goto(`/selfie/results/${await matched(2)}`)
    const download = phone.page.getByRole('link', { name: 'Download IMG_4211.jpg' })
    await download.waitFor()
    expect(await download.evaluate((link) => getComputedStyle(link).opacity)).toBe('1')
  })

  test('of more than twenty photos come in a list of their own, which is cached for five minutes', async ({
    page,
    clock,
    results,
  }) => {
    const { calls, callsOf, matched, failing } = results
    // The results stay on the service during the test.
    await failing('delete', 503)
    const id = await matched(24)
    const { held, letGo } = await holdBack(page, '**/trpc/submissions.photos*')
    await page.goto(`/selfie/results/${id}`)
    await sees(page, 'We found 24 photos of you.')
    await sees(page, '(Loading photos...)')
    await sees(page, 'Loading your photos...')
    await held
    // Results that were not shown are not deleted.
    await clock.pass(40_000)
    expect(await calls()).toEqual(['results', 'photos'])
    letGo()
    await expect.poll(() => page.getByRole('listitem').count()).toBe(24)
    expect(await page.getByText('(Loading photos...)').count()).toBe(0)

    const last = page.getByRole('listitem').last()
    await last.scrollIntoViewIfNeeded()
    await last.getByRole('button', { name: 'Try again to load 22.jpg' }).waitFor()

    await page.getByRole('link', { name: 'Albums' }).first().click()
    await sees(page, 'Browse Photo Albums')
    await clock.pass(4.5 * 60_000)
    await page.goBack()
    await expect.poll(() => page.getByRole('listitem').count()).toBe(24)
    await expect.poll(() => callsOf('results')).toHaveLength(2)
    expect(await callsOf('photos')).toHaveLength(1)

    await page.getByRole('link', { name: 'Albums' }).first().click()
    await sees(page, 'Browse Photo Albums')
    await clock.pass(5 * 60_000 + 1_000)
    await page.goBack()
    await expect.poll(() => callsOf('photos')).toHaveLength(2)
  })

  test('of twenty photos come at once', async ({ page, results }) => {
    const { callsOf, openMatched } = results
    await openMatched(20)
    expect(await page.getByRole('listitem').count()).toBe(20)
    expect(await callsOf('photos')).toHaveLength(0)
  })

  test('end with the links to the photos, after an hour', async ({ page, clock, results }) => {
    const { openMatched } = results
    await openMatched(2)
    await clock.pass(HOUR - 60_000)
    await sees(page, 'Here are your detected photos.')
    await clock.pass(60_000)
    await sees(page, 'These results have expired')
    expect(await page.getByRole('link', { name: /IMG/ }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Start New Search' }).getAttribute('href')).toBe('/selfie')
  })
})

test('a search without a match says what to do next, and deletes nothing', async ({
  page,
  clock,
  results,
}) => {
  const { calls, matched } = results
  await page.goto(`/selfie/results/${await matched(0)}`)
  await sees(page, 'No Photos Found')
  await page.getByText('We did not find you in these photos.').waitFor()
  expect(await page.getByRole('link', { name: 'Try Another Photo' }).getAttribute('href')).toBe('/selfie')
  await clock.pass(60_000)
  expect(await calls()).toEqual(['results'])
})

test.for(['/selfie/results', '/selfie/results/'])(
  '%s is an invalid request',
  async (path, { page, results }) => {
    const { calls } = results
    const answer = await page.goto(path)
    expect(answer!.status()).toBe(200)
    await sees(page, 'Invalid Request')
    await sees(page, 'No submission ID provided.')
    expect(await page.getByRole('link', { name: 'Start New Search' }).getAttribute('href')).toBe('/selfie')
    expect(await calls()).toEqual([])
  },
)
