import type { Page } from 'playwright-core'

const GOOGLE = 'https://www.googletagmanager.com'

/** Has every page of the site carry a setting, as the server writes it there once its variable is set, and lets
 *  it load Google's tag. */
export async function writeSetting(page: Page, name: string, value: string): Promise<void> {
  await page.route(
    (url) => url.pathname.startsWith('/selfie'),
    async (route) => {
      const answer = await route.fetch()
      const mark = `<meta name="inframe-${name}" content="${value}">`
      const policy = answer.headers()['content-security-policy']!
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replace('<head>', `<head>${mark}`),
        headers: {
          ...answer.headers(),
          'content-security-policy': policy.replace("script-src 'self'", `$& ${GOOGLE}`),
        },
      })
    },
  )
}
