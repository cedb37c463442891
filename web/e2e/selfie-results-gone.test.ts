import { describe, expect } from 'vitest'
import { RESULTS_POLL_MS } from '../../src/contract/limits.ts'
import { waitUntil } from '../../src/testing/wait.ts'
import { pausesBetween } from './page-clock.ts'
import { resultsTest } from './results-page.ts'
import { sees } from './visitor.ts'

const test = resultsTest()

describe('thirty seconds after they are shown, results are deleted', () => {
  test('once, and stay on the page; after a reload it says that they were deleted', async ({
    page,
    submissions,
    clock,
    results,
  }) => {
    const { callsOf, openMatched } = results
    const id = await openMatched(2)
    await clock.pass(30_000)
    await expect.poll(() => submissions.isThere(id)).toBe(false)
    await clock.pass(120_000)
    const [[found], [deletion, ...more]] = [await callsOf('results'), await callsOf('delete')]
    const shownFor = deletion!.sentAt - found!.answeredAt!
    expect(shownFor).toBeGreaterThanOrEqual(30_000)
    expect(shownFor).toBeLessThan(31_000)
    expect(more).toEqual([])
    await sees(page, 'We found 2 photos of you.')

    await page.reload()
    await sees(page, 'Loading Error')
    await sees(page, 'HTTP 404: Not Found')
    await page
      .getByText(/^These results are no longer available: for your privacy they are deleted/)
      .waitFor()
    await page.getByRole('button', { name: 'Reload Results' }).waitFor()
    // The page does not keep asking for results that are gone.
    const { length: asked } = await callsOf('results')
    await clock.pass(20_000)
    expect(await callsOf('results')).toHaveLength(asked)
    await page.getByRole('link', { name: 'Start New Search' }).click()
    await page.waitForURL('**/get-started')
  })

  test('also when the visitor has gone on to another page', async ({ page, submissions, clock, results }) => {
    const { callsOf, openMatched } = results
    const id = await openMatched(1)
    await page.getByRole('link', { name: 'Albums' }).first().click()
    await page.waitForURL('**/albums')
    await page.goBack()
    await sees(page, 'We found 1 photo of you.')
    await page.goForward()
    await page.waitForURL('**/albums')
    await clock.pass(31_000)
    await expect.poll(() => submissions.isThere(id)).toBe(false)
    await clock.pass(31_000)
    expect(await callsOf('delete')).toHaveLength(1)
  })

  test('and when the deletion fails, only the console says so', async ({
    page,
    submissions,
    clock,
    results,
  }) => {
    const { said, openMatched, failing } = results
    await failing('delete', 503)
    const id = await openMatched(1)
    await clock.pass(31_000)
    await expect.poll(() => said.join()).toContain('error: The submission could not be deleted')
    expect(await page.getByRole('alert').count()).toBe(0)
    await sees(page, 'We found 1 photo of you.')
    expect(await submissions.isThere(id)).toBe(true)
  })
})

describe('a failure to load', () => {
  test('is tried once more after half a second, then with the next poll', async ({ page, results }) => {
    const { callsOf, matched, failing } = results
    await failing('results', 500)
    await page.goto(`/selfie/results/${await matched(2)}`)
    await waitUntil('three calls', async () => (await callsOf('results'))[2])
    const [retry, poll] = pausesBetween(await callsOf('results'))
    expect(retry).toBeGreaterThanOrEqual(500)
    expect(retry).toBeLessThan(1_500)
    expect(poll).toBeGreaterThanOrEqual(1_500)
    expect(poll).toBeLessThan(3_500)
  })

  test('is shown, and can be tried again', async ({ page, results }) => {
    const { matched, failing } = results
    const stop = await failing('results', 500)
    await page.goto(`/selfie/results/${await matched(2)}`)
    await sees(page, 'Loading Error')
    await sees(page, 'HTTP 500: Internal Server Error')
    await sees(page, 'The results could not be loaded. Please try again in a moment.')
    await stop()
    await page.getByRole('button', { name: 'Reload Results' }).click()
    await sees(page, 'We found 2 photos of you.')
  })

  test('is shown until a later poll succeeds', async ({ page, clock, results }) => {
    const { callsOf, matched, failing } = results
    const stop = await failing('results', 502)
    await page.goto(`/selfie/results/${await matched(2)}`)
    await sees(page, 'HTTP 502: Bad Gateway')
    const processing = await clock.watch('main', /Processing Your Photo/)
    const { length: asked } = await callsOf('results')
    for (let more = 0; more < 3; more++) {
      await clock.pass(RESULTS_POLL_MS)
      await waitUntil('one more call', async () => (await callsOf('results'))[asked + more])
    }
    await stop()
    await clock.pass(RESULTS_POLL_MS)
    await sees(page, 'We found 2 photos of you.')
    expect(await processing()).toEqual([])
  })

  test('of the connection has a sentence of its own', async ({ page, results }) => {
    const { matched } = results
    await page.route('**/trpc/submissions.results*', (route) => route.abort())
    await page.goto(`/selfie/results/${await matched(1)}`)
    await sees(page, 'The service could not be reached. Please check your internet connection.')
  })

  test('of the full list keeps what is known, and offers to load the photos', async ({ page, results }) => {
    const { matched, failing } = results
    const stop = await failing('photos', 503)
    await page.goto(`/selfie/results/${await matched(24)}`)
    await sees(page, 'The photos could not be loaded')
    await sees(page, 'HTTP 503: Service Unavailable')
    await sees(page, 'We found 24 photos of you.')
    expect(await page.getByText('Loading Error').count()).toBe(0)
    await stop()
    await page.getByRole('button', { name: 'Load the photos' }).click()
    await expect.poll(() => page.getByRole('listitem').count()).toBe(24)
  })

  test('of a full list that has been deleted leads to a new search', async ({ page, results }) => {
    const { matched, failing } = results
    await failing('photos', 404)
    await page.goto(`/selfie/results/${await matched(24)}`)
    await sees(page, 'These results have been deleted. A new search finds your photos again.')
    expect(await page.getByRole('link', { name: 'Start New Search' }).getAttribute('href')).toBe('/selfie')
  })
})
