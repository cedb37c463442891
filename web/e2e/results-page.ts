import type { TimedCall } from './page-clock.ts'
import { siteTest } from './site-test.ts'
import { prepareSubmissions } from './submissions.ts'
import { sees } from './visitor.ts'

export interface ResultsPage {
  /** The names of the page's calls for submissions since it was loaded: 'results', 'photos', 'delete'. */
  calls(): Promise<string[]>
  /** Those of one name. */
  callsOf(name: string): Promise<TimedCall[]>
  /** A submission that is processed. @returns its id. */
  matched(matches: number): Promise<string>
  /** The same, shown on its page. */
  openMatched(matches: number): Promise<string>
  /** Answers calls of that name with an error page. @returns what stops that */
  failing(name: string, status: number): Promise<() => Promise<void>>
}

/** Gives a test file its own `test`, with a site whose queues do not run, its `submissions`, and the `results` page of
 *  each test's visitor, whose clock the test can move. */
export function resultsTest(options?: Parameters<typeof siteTest>[0]) {
  const test = siteTest({ work: false, ...options })
    .extend('submissions', { scope: 'file' }, ({ site }) => prepareSubmissions(site))
    .extend('results', async ({ page, clock, submissions }): Promise<ResultsPage> => {
      async function matched(matches: number): Promise<string> {
        const id = await submissions.submit()
        await submissions.match(id, matches)
        return id
      }

      return {
        matched,

        async calls() {
          const calls = await clock.calls('/trpc/submissions.')
          return calls.map(({ url }) => /submissions\.(\w+)/.exec(url)![1]!)
        },

        callsOf: (name) => clock.calls(`/trpc/submissions.${name}`),

        async openMatched(matches) {
          const id = await matched(matches)
          await page.goto(`/selfie/results/${id}`)
          await sees(page, 'Here are your detected photos.')
          return id
        },

        async failing(name, status) {
          const address = `**/trpc/submissions.${name}*`
          const error = {
            message: 'No',
            code: -32603,
            data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: status },
          }
          await page.route(address, (route) => route.fulfill({ status, json: { error } }))
          return () => page.unroute(address)
        },
      }
    })
  test.beforeAll(({ submissions }) => void submissions)
  return test
}
