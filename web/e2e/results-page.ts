import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import { launchBrowser } from './browser.ts'
import { type Site, startSite } from './site.ts'
import { prepareSubmissions, type Submissions } from './submissions.ts'
import { newVisitor, sees, type Visitor } from './visitor.ts'

export interface ResultsPage extends Visitor {
  browser: Browser
  site: Site
  submissions: Submissions
  /** The calls for submissions that the page made: 'results', 'photos', 'delete'. */
  calls: string[]
  /** What the browser's console says. */
  said: string[]
  countOf(call: string): number
  /** A submission that is processed. @returns its id. */
  matched(matches: number): Promise<string>
  /** The same, shown on its page. */
  openMatched(matches: number): Promise<string>
  /** Answers calls of that name with an error page. @returns what stops that */
  failing(call: string, status: number): Promise<() => Promise<void>>
}

/** Sets a test file up: a site whose queues do not run, and for each test a new visitor whose clock the test controls. */
export function onResultsPage(): () => ResultsPage {
  let browser: Browser
  let site: Site
  let submissions: Submissions
  let current: ResultsPage

  beforeAll(async () => {
    ;[browser, site] = await Promise.all([launchBrowser(), startSite({ work: false })])
    submissions = await prepareSubmissions(site)
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  beforeEach(async () => {
    const visitor = await newVisitor(browser, site.url)
    const { page } = visitor
    const calls: string[] = []
    const said: string[] = []
    page.on('request', (request) => {
      const call = /\/trpc\/submissions\.(\w+)/.exec(request.url())?.[1]
      if (call) calls.push(call)
    })
    page.on('console', (message) => void said.push(`${message.type()}: ${message.text()}`))
    await page.clock.install()
    onTestFinished(visitor.leave)

    async function matched(matches: number): Promise<string> {
      const id = await submissions.hand()
      await submissions.match(id, matches)
      return id
    }

    current = {
      ...visitor,
      browser,
      site,
      submissions,
      calls,
      said,
      countOf: (name) => calls.filter((call) => call === name).length,
      matched,

      async openMatched(matches) {
        const id = await matched(matches)
        await page.goto(`/selfie/results/${id}`)
        await sees(page, 'Here are your detected photos.')
        return id
      },

      async failing(call, status) {
        const address = `**/trpc/submissions.${call}*`
        const body = '<h1>No</h1>'
        await page.route(address, (route) => route.fulfill({ status, contentType: 'text/html', body }))
        return () => page.unroute(address)
      },
    }
  })
  return () => current
}
