import { describe, expect, test } from 'vitest'
import { onResultsPage } from './results-page.ts'
import { sees } from './visitor.ts'

const open = onResultsPage()

describe('thirty seconds after they are shown, results are deleted', () => {
  test('once, and stay in view; a reload says what has become of them', async () => {
    const { page, submissions, countOf, openMatched } = open()
    const id = await openMatched(2)
    await page.clock.runFor(28_000)
    expect(countOf('delete')).toBe(0)
    await page.clock.runFor(2_500)
    await expect.poll(() => submissions.isThere(id)).toBe(false)
    await page.clock.runFor(120_000)
    expect(countOf('delete')).toBe(1)
    await sees(page, 'We found 2 photos of you.')

    await page.reload()
    await sees(page, 'Loading Error')
    await sees(page, 'HTTP 404: Not Found')
    await page
      .getByText(/^These results are no longer available: for your privacy they are deleted/)
      .waitFor()
    await page.getByRole('button', { name: 'Reload Results' }).waitFor()
    // Nobody asks for what has gone again and again.
    const asked = countOf('results')
    await page.clock.runFor(20_000)
    expect(countOf('results')).toBe(asked)
    await page.getByRole('link', { name: 'Start New Search' }).click()
    await page.waitForURL('**/get-started')
  })

  test('also when the visitor has gone on to another page', async () => {
    const { page, submissions, countOf, openMatched } = open()
    const id = await openMatched(1)
    await page.getByRole('link', { name: 'Albums' }).first().click()
    await page.waitForURL('**/albums')
    await page.goBack()
    await sees(page, 'We found 1 photo of you.')
    await page.goForward()
    await page.waitForURL('**/albums')
    await page.clock.runFor(31_000)
    await expect.poll(() => submissions.isThere(id)).toBe(false)
    await page.clock.runFor(31_000)
    expect(countOf('delete')).toBe(1)
  })

  test('and when that fails, only the console says so', async () => {
    const { page, submissions, said, openMatched, failing } = open()
    await failing('delete', 503)
    const id = await openMatched(1)
    await page.clock.runFor(31_000)
    await expect.poll(() => said.join()).toContain('error: The submission could not be deleted')
    expect(await page.getByRole('alert').count()).toBe(0)
    await sees(page, 'We found 1 photo of you.')
    expect(await submissions.isThere(id)).toBe(true)
  })
})

describe('a failure to load', () => {
  test('is tried once more after half a second, then with the next poll', async () => {
    const { page, countOf, matched } = open()
    const asked = Promise.withResolvers<void>()
    await page.route('**/trpc/submissions.results*', async (route) => {
      await asked.promise
      await route.fulfill({ status: 500, body: '' })
    })
    await page.goto(`/selfie/results/${await matched(2)}`)
    await expect.poll(() => countOf('results')).toBe(1)
    // The first call has arrived, and is answered while the clock is paused.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 100))
    asked.resolve()
    /** Ms on the page's clock until it asks again. */
    const untilNextCall = async () => {
      const before = countOf('results')
      let waited = 0
      for (; countOf('results') === before && waited < 5_000; waited += 50) await page.clock.runFor(50)
      return waited
    }
    const retry = await untilNextCall()
    expect(retry).toBeGreaterThanOrEqual(500)
    expect(retry).toBeLessThan(1_500)
    const poll = await untilNextCall()
    expect(poll).toBeGreaterThanOrEqual(1_500)
    expect(poll).toBeLessThan(3_500)
  })

  test('is shown, and can be tried again', async () => {
    const { page, matched, failing } = open()
    const stop = await failing('results', 500)
    await page.goto(`/selfie/results/${await matched(2)}`)
    await sees(page, 'Loading Error')
    await sees(page, 'HTTP 500: Internal Server Error')
    await sees(page, 'The results could not be loaded. Please try again in a moment.')
    await stop()
    await page.getByRole('button', { name: 'Reload Results' }).click()
    await sees(page, 'We found 2 photos of you.')
  })

  test('passes by itself, and stays in view until it has', async () => {
    const { page, countOf, matched, failing } = open()
    const stop = await failing('results', 502)
    await page.goto(`/selfie/results/${await matched(2)}`)
    await sees(page, 'HTTP 502: Bad Gateway')
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 100))
    for (let asked = countOf('results'); countOf('results') < asked + 3; ) {
      await page.clock.runFor(250)
      expect(await page.getByText('Processing Your Photo').count()).toBe(0)
    }
    await stop()
    await page.clock.resume()
    await sees(page, 'We found 2 photos of you.')
  })

  test('of the connection has a sentence of its own', async () => {
    const { page, matched } = open()
    await page.route('**/trpc/submissions.results*', (route) => route.abort())
    await page.goto(`/selfie/results/${await matched(1)}`)
    await sees(page, 'The service could not be reached. Please check your internet connection.')
  })

  test('of the full list keeps what is known, and offers to load the photos', async () => {
    const { page, matched, failing } = open()
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

  test('of a full list that has been deleted leads to a new search', async () => {
    const { page, matched, failing } = open()
    await failing('photos', 404)
    await page.goto(`/selfie/results/${await matched(24)}`)
    await sees(page, 'These results have been deleted. A new search finds your photos again.')
    expect(await page.getByRole('link', { name: 'Start New Search' }).getAttribute('href')).toBe('/selfie')
  })
})
