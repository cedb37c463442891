import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from './browser.ts'
import { HIDDEN, headOf } from './head.ts'
import { type Site, startSite } from './site.ts'
import { prepareSubmissions, type Submissions } from './submissions.ts'
import { newVisitor, sees, type Visitor } from './visitor.ts'

const HOUR = 3_600_000

let browser: Browser
let site: Site
let submissions: Submissions

beforeAll(async () => {
  ;[browser, site] = await Promise.all([launchBrowser(), startSite({ work: false })])
  submissions = await prepareSubmissions(site)
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

let visitor: Visitor
let page: Page
/** The calls for submissions that the page made: 'results', 'photos', 'delete'. */
let calls: string[]
let said: string[]
beforeEach(async () => {
  visitor = await newVisitor(browser, site.url)
  page = visitor.page
  calls = []
  said = []
  page.on('request', (request) => {
    const call = /\/trpc\/submissions\.(\w+)/.exec(request.url())?.[1]
    if (call) calls.push(call)
  })
  page.on('console', (message) => void said.push(`${message.type()}: ${message.text()}`))
  await page.clock.install()
  const { leave } = visitor
  onTestFinished(leave)
})
const countOf = (name: string) => calls.filter((call) => call === name).length

async function submissionOf(matches: number): Promise<string> {
  const id = await submissions.hand()
  await submissions.match(id, matches)
  return id
}

async function openMatched(matches: number): Promise<string> {
  const id = await submissionOf(matches)
  await page.goto(`/selfie/results/${id}`)
  await sees(page, 'Here are your detected photos.')
  return id
}

/** Answers calls of that name with an error page, until it is told to stop. */
async function failing(name: string, status: number): Promise<() => Promise<void>> {
  const address = `**/trpc/submissions.${name}*`
  await page.route(address, (route) =>
    route.fulfill({ status, contentType: 'text/html', body: '<h1>No</h1>' }),
  )
  return () => page.unroute(address)
}

describe('while a selfie is being processed', () => {
  test('the page asks every two seconds, until it is', async () => {
    const id = await submissions.hand()
    await page.goto(`/selfie/results/${id}`)
    await sees(page, 'Processing Your Photo')
    await sees(page, 'Please wait while we search for your photos...')
    expect(await headOf(page)).toEqual({ title: 'Your photos · Inframe', robots: HIDDEN })

    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 100))
    /** Ms on the page's clock until it asks again. */
    const untilNextCall = async () => {
      const answered = page.waitForResponse(/submissions\.results/)
      const before = calls.length
      let waited = 0
      while (calls.length === before && waited < 5000) {
        await page.clock.runFor(100)
        waited += 100
      }
      await answered
      return waited
    }
    await untilNextCall()
    for (let times = 0; times < 2; times++) {
      const waited = await untilNextCall()
      expect(waited).toBeGreaterThan(1800)
      expect(waited).toBeLessThanOrEqual(2100)
    }

    await submissions.match(id, 2)
    await untilNextCall()
    await page.clock.resume()
    await sees(page, 'We found 2 photos of you.')
    const asked = countOf('results')
    await page.clock.runFor(20_000)
    expect(countOf('results')).toBe(asked)
    expect(countOf('photos')).toBe(0)
  })

  test('it says when there is no connection, and goes on when there is', async () => {
    const id = await submissions.hand()
    await page.goto(`/selfie/results/${id}`)
    await sees(page, 'Processing Your Photo')
    await visitor.context.setOffline(true)
    await page.clock.runFor(2000)
    await sees(page, 'You are offline. We go on as soon as you are back.')
    await submissions.match(id, 1)
    await visitor.context.setOffline(false)
    await sees(page, 'We found 1 photo of you.')
  })
})

describe('results', () => {
  test('are shown as a gallery whose photos open at full size in a new tab', async () => {
    // Of a visitor who does not leave in order: Chromium's own page around a picture breaks the policy.
    visitor = await newVisitor(browser, site.url)
    page = visitor.page
    await openMatched(2)
    await sees(page, 'We found 2 photos of you.')
    await page.getByText(/^Thank you for using Inframe\. Selfies are deleted after processing/).waitFor()
    const thumbs = page.getByRole('listitem').locator('img')
    await expect
      .poll(() => thumbs.evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth)))
      .toEqual([640, 640])

    const [tab] = await Promise.all([
      visitor.context.waitForEvent('page'),
      page.getByRole('link', { name: 'Open IMG_4210.jpg at full size in a new tab' }).click(),
    ])
    await tab.waitForLoadState()
    expect(await tab.evaluate(() => document.querySelector('img')?.naturalWidth)).toBe(1200)
    expect(await tab.evaluate(() => window.opener)).toBeNull()
    await visitor.context.close()
  })

  test.each([
    [390, 1],
    [700, 2],
    [800, 3],
    [1280, 4],
  ])('stand at %i px in %i columns', async (width, columns) => {
    await page.setViewportSize({ width, height: 800 })
    await openMatched(5)
    const lefts = await page
      .getByRole('listitem')
      .evaluateAll((all) => all.map((item) => item.getBoundingClientRect().left))
    expect(new Set(lefts).size).toBe(columns)
  })

  test('are downloaded from a link that a mouse, or the keyboard, brings up', async () => {
    await openMatched(2)
    const download = page.getByRole('link', { name: 'Download IMG_4210.jpg' })
    const opacity = () => download.evaluate((link) => getComputedStyle(link).opacity)
    expect(await download.textContent()).toBe('Download')
    expect(await opacity()).toBe('0')
    await page.getByRole('listitem').first().hover()
    await expect.poll(opacity).toBe('1')
    await page.mouse.move(0, 0)
    await expect.poll(opacity).toBe('0')

    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect.poll(opacity).toBe('1')
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    expect(file.suggestedFilename()).toBe('IMG_4210.jpg')
    expect((await sharp(await readFile(await file.path())).metadata()).width).toBe(1200)
  })

  test('always offer the download where there is no mouse', async () => {
    const phone = await newVisitor(browser, site.url, { device: 'phone' })
    await phone.page.goto(`/selfie/results/${await submissionOf(2)}`)
    const download = phone.page.getByRole('link', { name: 'Download IMG_4211.jpg' })
    await download.waitFor()
    expect(await download.evaluate((link) => getComputedStyle(link).opacity)).toBe('1')
    await phone.leave()
  })

  test('of more than twenty photos come as a list of their own, which is kept', async () => {
    const id = await submissionOf(24)
    let go = () => {}
    await page.route('**/trpc/submissions.photos*', async (route) => {
      await new Promise<void>((resolve) => {
        go = resolve
      })
      await route.continue()
    })
    await page.goto(`/selfie/results/${id}`)
    await sees(page, 'We found 24 photos of you.')
    await sees(page, '(Loading photos...)')
    await sees(page, 'Loading your photos...')
    // What has not been seen yet is not deleted yet.
    await page.clock.runFor(40_000)
    expect(calls).toEqual(['results', 'photos'])
    go()
    await expect.poll(() => page.getByRole('listitem').count()).toBe(24)
    expect(await page.getByText('(Loading photos...)').count()).toBe(0)

    // Those further down wait until they are scrolled to.
    const last = page.getByRole('listitem').last()
    expect(await last.locator('img').getAttribute('loading')).toBe('lazy')
    await last.scrollIntoViewIfNeeded()
    await last.getByText('No preview of 22.jpg').waitFor()

    await page.getByRole('link', { name: 'Albums' }).first().click()
    await page.waitForURL('**/albums')
    await page.goBack()
    await expect.poll(() => page.getByRole('listitem').count()).toBe(24)
    expect(calls).toEqual(['results', 'photos', 'results'])
  })

  test('of twenty photos come at once', async () => {
    await openMatched(20)
    expect(await page.getByRole('listitem').count()).toBe(20)
    expect(countOf('photos')).toBe(0)
  })

  test('end with the links to the photos, after an hour', async () => {
    await openMatched(2)
    await page.clock.fastForward(HOUR - 60_000)
    await sees(page, 'Here are your detected photos.')
    await page.clock.fastForward(60_000)
    await sees(page, 'These results have expired')
    expect(await page.getByRole('link', { name: /IMG/ }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Start New Search' }).getAttribute('href')).toBe('/selfie')
  })
})

describe('thirty seconds after they are shown, results are deleted', () => {
  test('once, and stay in view; a reload says what has become of them', async () => {
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
    await failing('delete', 503)
    const id = await openMatched(1)
    await page.clock.runFor(31_000)
    await expect.poll(() => said.join()).toContain('error: The submission could not be deleted')
    expect(await page.getByRole('alert').count()).toBe(0)
    await sees(page, 'We found 1 photo of you.')
    expect(await submissions.isThere(id)).toBe(true)
  })
})

test('no match is said with what to do next, and nothing is deleted', async () => {
  await page.goto(`/selfie/results/${await submissionOf(0)}`)
  await sees(page, 'No Photos Found')
  await page.getByText('We did not find you in these photos.').waitFor()
  expect(await page.getByRole('link', { name: 'Try Another Photo' }).getAttribute('href')).toBe('/selfie')
  await page.clock.runFor(60_000)
  expect(calls).toEqual(['results'])
})

test.each(['/selfie/results', '/selfie/results/'])('%s is an invalid request', async (path) => {
  const answer = await page.goto(path)
  expect(answer!.status()).toBe(200)
  await sees(page, 'Invalid Request')
  await sees(page, 'No submission ID provided.')
  expect(await page.getByRole('link', { name: 'Start New Search' }).getAttribute('href')).toBe('/selfie')
  expect(calls).toEqual([])
})

describe('a failure to load', () => {
  test('is tried once more after half a second, then shown, and can be tried again', async () => {
    const stop = await failing('results', 500)
    await page.goto(`/selfie/results/${await submissionOf(2)}`)
    await sees(page, 'Loading Error')
    await sees(page, 'HTTP 500: Internal Server Error')
    await sees(page, 'The results could not be loaded just now. Please try again in a moment.')
    expect(countOf('results')).toBeGreaterThanOrEqual(2)
    await stop()
    await page.getByRole('button', { name: 'Reload Results' }).click()
    await sees(page, 'We found 2 photos of you.')
  })

  test('passes by itself, and stays in view until it has', async () => {
    const stop = await failing('results', 502)
    await page.goto(`/selfie/results/${await submissionOf(2)}`)
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

  test('of the connection is said in words', async () => {
    await page.route('**/trpc/submissions.results*', (route) => route.abort())
    await page.goto(`/selfie/results/${await submissionOf(1)}`)
    await sees(page, 'The service could not be reached. Please check your internet connection.')
  })

  test('of the full list can be tried again', async () => {
    const stop = await failing('photos', 503)
    await page.goto(`/selfie/results/${await submissionOf(24)}`)
    await sees(page, 'Loading Error')
    await sees(page, 'HTTP 503: Service Unavailable')
    await stop()
    await page.getByRole('button', { name: 'Reload Results' }).click()
    await sees(page, 'We found 24 photos of you.')
    await expect.poll(() => page.getByRole('listitem').count()).toBe(24)
  })
})
