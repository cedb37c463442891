import { test as plainTest } from 'vitest'
import { sharedBrowser } from './browser.ts'
import { installClock } from './page-clock.ts'
import { startSite } from './site.ts'
import { newVisitor, textOf, type Visitor, type VisitorOptions } from './visitor.ts'

/** Opens a browser window for one more visitor, and closes it after the test. */
export type Visit = (options?: VisitorOptions) => Promise<Visitor>

/** Gives a file of browser tests its own `test`. It provides the `browser`, a `site` for the whole file, and for each
 *  test a new `visitor` with their `page` and its `clock`, and `visit` for more of them. Takes what startSite takes.
 *
 *  After a test, a visitor whose page threw an error makes the test fail. A test that fails prints what its visitors saw. */
export function siteTest(options?: Parameters<typeof startSite>[0]) {
  const test = plainTest
    .extend('browser', { scope: 'file' }, () => sharedBrowser())
    // biome-ignore lint/correctness/noEmptyPattern: Vitest insists on a destructuring pattern.
    .extend('site', { scope: 'file' }, async ({}, { onCleanup }) => {
      const site = await startSite(options)
      onCleanup(() => site.close())
      return site
    })
    .extend('visit', async ({ browser, site, task }, { onCleanup }): Promise<Visit> => {
      const visitors: Visitor[] = []
      onCleanup(async () => {
        for (const visitor of visitors) {
          if (task.result?.state === 'fail') process.stderr.write(await textOf(visitor))
          await visitor.leave()
        }
      })
      return async (visitorOptions) => {
        const visitor = await newVisitor(browser, site.url, visitorOptions)
        visitors.push(visitor)
        return visitor
      }
    })
    .extend('visitor', ({ visit }) => visit())
    .extend('page', ({ visitor }) => visitor.page)
    .extend('clock', ({ page }) => installClock(page))
  // Both start here, because a hook has a longer limit than a test.
  test.beforeAll(({ browser, site }) => void [browser, site])
  return test
}
