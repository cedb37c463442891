import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { RESULTS_POLL_MS } from '../../src/contract/limits.ts'
import { expectNoAxeFault } from './axe.ts'
import { pausesBetween } from './page-clock.ts'
import { resultsTest } from './results-page.ts'
import { holdBack, sees } from './visitor.ts'

const HOUR = 3_600_000

const test = resultsTest()

const questions = (page: Page) => page.getByRole('group', { name: /^Is this you in/ })
const countOf = (page: Page, photos: number) =>
  expect.poll(() => page.getByRole('listitem').count()).toBe(photos)
const newSearch = (page: Page, name = 'Start New Search') =>
  page.getByRole('link', { name }).getAttribute('href')

test('while a selfie is being processed, or the network is gone, the page asks again and again', async ({
  page,
  visitor,
  submissions,
  clock,
  results,
}) => {
  const { calls, callsOf } = results
  const id = await submissions.submit()
  await page.goto(`/selfie/results/${id}`)
  await sees(page, 'Processing Your Photo')
  await expectNoAxeFault(page)
  expect(await page.title()).toBe('Your photos · Inframe')
  for (let poll = 0; poll < 2; poll++) {
    await expect.poll(async () => (await callsOf('results'))[poll]?.answeredAt).toBeTruthy()
    await clock.pass(RESULTS_POLL_MS)
  }
  await expect.poll(async () => (await callsOf('results'))[2]?.answeredAt).toBeTruthy()
  for (const pause of pausesBetween(await callsOf('results')))
    expect(pause).toBeGreaterThanOrEqual(RESULTS_POLL_MS)

  await visitor.context.setOffline(true)
  await clock.pass(RESULTS_POLL_MS)
  await sees(page, 'The service could not be reached. Please check your internet connection.')
  await submissions.match(id, 2)
  await visitor.context.setOffline(false)
  await clock.pass(RESULTS_POLL_MS)
  await sees(page, 'We found 2 photos of you.')
  const asked = await calls()
  await clock.pass(20_000)
  // These results are never fresh, so only the query default keeps a return to the tab from asking again.
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await clock.pass(5_000)
  expect(await calls()).toEqual(asked)
})

test('results are shown as a gallery whose photos the browser itself opens at a middle click', async ({
  page,
  results,
}) => {
  await page.goto(`/selfie/results/${await results.matched(2)}`)
  await sees(page, 'We found 2 photos of you.')
  await page.getByText(/^Thank you for using Inframe\. Selfies are deleted after processing/).waitFor()
  await page.getByText(/we delete these results 30 seconds .+ a reload will not bring them back\.$/).waitFor()
  const thumbs = page.getByRole('listitem').locator('img')
  await expect
    .poll(() => thumbs.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth)))
    .toEqual([640, 640])
  await expectNoAxeFault(page)

  // No tab is opened here: a busy browser may never say that one in the background is there.
  const link = page.getByRole('link', { name: 'Open IMG_4210.jpg' })
  const leftToTheBrowser = page.evaluate(
    () =>
      new Promise((resolve) =>
        document.addEventListener('auxclick', (click) => {
          resolve(!click.defaultPrevented)
          click.preventDefault()
        }),
      ),
  )
  await link.click({ button: 'middle' })
  expect(await leftToTheBrowser).toBe(true)
})

test('more than twenty photos come in a list of their own, which is cached for five minutes', async ({
  page,
  clock,
  results,
}) => {
  const { callsOf, matched, failing } = results
  // The results stay on the service during the test.
  await failing('delete', 503)
  const { letGo } = await holdBack(page, '**/trpc/submissions.photos*')
  await page.goto(`/selfie/results/${await matched(24)}`)
  await sees(page, 'Loading your photos...')
  await expectNoAxeFault(page)
  letGo()
  await countOf(page, 24)
  const last = page.getByRole('listitem').last()
  await last.scrollIntoViewIfNeeded()
  await last.getByText('Not loaded').waitFor()

  const { length: loaded } = await callsOf('photos')
  const goAway = async () => {
    await page.getByRole('link', { name: 'Albums' }).first().click()
    await sees(page, 'Browse Photo Albums')
  }
  await goAway()
  await clock.pass(4.5 * 60_000)
  await page.goBack()
  await countOf(page, 24)
  await expect.poll(() => callsOf('results')).toHaveLength(2)
  expect(await callsOf('photos')).toHaveLength(loaded)
  await goAway()
  await clock.pass(5 * 60_000 + 1_000)
  await page.goBack()
  await expect.poll(() => callsOf('photos')).toHaveLength(loaded + 1)
})

test('thirty seconds after they are shown, results are deleted, and stay on the page for an hour', async ({
  page,
  submissions,
  clock,
  results,
}) => {
  const { callsOf, openMatched } = results
  const id = await openMatched(2)
  // Few photos come with the results.
  expect(await callsOf('photos')).toEqual([])
  await clock.pass(30_000)
  await expect.poll(() => submissions.isThere(id)).toBe(false)
  await clock.pass(120_000)
  const [[found], [deletion, ...more]] = [await callsOf('results'), await callsOf('delete')]
  expect(deletion!.sentAt - found!.answeredAt!).toBeGreaterThanOrEqual(30_000)
  expect(more).toEqual([])
  await sees(page, 'We found 2 photos of you.')
  // The links to the photos end.
  await clock.pass(HOUR)
  await sees(page, 'These results have expired')
  expect(await page.getByRole('link', { name: /IMG/ }).count()).toBe(0)
  expect(await newSearch(page)).toBe('/selfie')

  await page.reload()
  await sees(page, 'Loading Error')
  await sees(page, 'HTTP 404: Not Found')
  await expectNoAxeFault(page)
  await page.getByText(/^These results are no longer available: for your privacy they are deleted/).waitFor()
  // The page does not keep asking for results that are gone, but does when the visitor wants it.
  const { length: asked } = await callsOf('results')
  await clock.pass(20_000)
  expect(await callsOf('results')).toHaveLength(asked)
  await page.getByRole('button', { name: 'Reload Results' }).click()
  await expect.poll(async () => (await callsOf('results')).length).toBeGreaterThan(asked)
  await page.getByRole('link', { name: 'Start New Search' }).click()
  await page.waitForURL('**/get-started')
})

test('every other end says what to do next, and deletes nothing', async ({
  page,
  clock,
  submissions,
  results,
}) => {
  const { calls, matched, failing } = results
  await page.goto(`/selfie/results/${await matched(0)}`)
  await sees(page, 'No Photos Found')
  await page.getByText('We did not find you in these photos.').waitFor()
  expect(await newSearch(page, 'Try Another Photo')).toBe('/selfie')
  await clock.pass(60_000)
  expect(await calls()).toEqual(['results'])

  // Its selfie was deleted before it was matched.
  const unmatched = await submissions.submit()
  await submissions.expire(unmatched)
  await page.goto(`/selfie/results/${unmatched}`)
  await page.getByRole('alert').getByText('Your search has failed').waitFor()
  expect(await page.getByText(/did not find you|No Photos Found/).count()).toBe(0)
  expect(await newSearch(page, 'Try again')).toBe('/selfie')

  await failing('photos', 404)
  await page.goto(`/selfie/results/${await matched(24)}`)
  await sees(page, 'The photos could not be loaded')
  await page.getByRole('button', { name: 'Try again' }).waitFor()

  await page.goto('/selfie/results')
  await sees(page, 'No submission ID provided.')
  expect(await newSearch(page)).toBe('/selfie')
  expect(await calls()).toEqual([])

  // This service has no photo library of its own.
  await page.goto('/selfie/no-results')
  expect(await newSearch(page, 'photo albums')).toBe('/albums')
})

test('a visitor who may be in photos is asked about them, instead of reading that there are none', async ({
  page,
  clock,
  submissions,
}) => {
  const id = await submissions.submit()
  await submissions.ask(id)
  await page.goto(`/selfie/results/${id}`)
  await page.getByRole('heading', { name: 'We are not sure. Are you in these?' }).waitFor()
  expect(await page.getByText('No Photos Found').count()).toBe(0)
  expect(await questions(page).count()).toBe(2)
  await page.getByRole('button', { name: 'No', exact: true }).first().click()
  await page.getByRole('button', { name: "Yes, that's me" }).click()
  await sees(page, 'We found 1 photo of you.')
  // Like photos that were found, the questions are deleted when they have been seen.
  await clock.pass(30_000)
  await expect.poll(() => submissions.isThere(id)).toBe(false)
  await sees(page, 'We found 1 photo of you.')
})
