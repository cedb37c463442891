import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, vi } from 'vitest'
import { ACCOUNT, startGoogle } from '../../src/testing/google.ts'
import { maintainerOf, newSetupLink } from '../../src/testing/maintainer.ts'
import { HIDDEN, headOf } from './head.ts'
import type { Site } from './site.ts'
import { startSite } from './site.ts'
import { siteTest } from './site-test.ts'
import { holdBack, sees, seesToast, type Visitor } from './visitor.ts'

const CLIENT = { GOOGLE_CLIENT_ID: 'client-1', GOOGLE_CLIENT_SECRET: 'GOCSPX-hush' }
const ADMIN_TOKEN = 'the token of the maintainer'
/** No letter is sent here. */
const NO_MAIL_SERVER = { host: '127.0.0.1', port: 9 }

const google = await startGoogle()
afterAll(() => google.close())

const OPTIONS = {
  work: false,
  env: CLIENT,
  google: { endpoints: google.endpoints, mailServer: NO_MAIL_SERVER },
}
const test = siteTest(OPTIONS)
test.beforeEach(async ({ site, visitor }) => {
  await visitor.signInAs(await maintainerOf(site))
  google.answers = undefined
  google.exchanges.length = 0
  await site.database.db.deleteFrom('mail_authorisation').execute()
})

const press = (page: Page, name: string) => page.getByRole('button', { name }).click()
const codeField = (page: Page) => page.getByLabel('Authorization Code')
const accounts = async (site: Site) =>
  (await site.database.db.selectFrom('mail_authorisation').select('account').execute()).map(
    (row) => row.account,
  )

/** What the service writes to its console. */
function consoleOfTheService(): string[] {
  const written: string[] = []
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written.push(String(chunk))
    return true
  })
  onTestFinished(() => stdout.mockRestore())
  return written
}

/** Presses the button, allows everything at Google. @returns the tab that Google leads back to this site. */
async function allowInNewTab(page: Page, visitor: Visitor, site: Site): Promise<Page> {
  const [tab] = await Promise.all([visitor.context.waitForEvent('page'), press(page, 'Generate OAuth URL')])
  await tab.waitForURL(`${site.url}/gmail-oauth**`)
  return tab
}

test.for(['/oauth-helper', '/gmail-oauth'])('%s is hidden from search engines', async (path, { page }) => {
  const answer = await page.goto(path)
  expect(answer!.headers()['x-robots-tag']).toBe(HIDDEN)
  await sees(page, 'Gmail OAuth Setup')
  expect(await headOf(page)).toEqual({ title: 'Gmail OAuth Setup · Inframe', robots: HIDDEN })
  await page.getByRole('link', { name: 'Albums' }).first().click()
  await expect.poll(() => headOf(page)).toEqual({ title: 'Browse Photo Albums · Inframe', robots: null })
})

describe('/oauth-helper', () => {
  test('gives the link to Google and the addresses to register there', async ({ page, visitor, site }) => {
    await page.goto('/oauth-helper')
    await press(page, 'Generate Auth URL')
    const link = page.getByRole('link', { name: 'Authorize Gmail Access' })
    await link.waitFor()
    await page.getByRole('listitem').getByText(`${site.url}/gmail-oauth`, { exact: true }).waitFor()
    const [tab] = await Promise.all([visitor.context.waitForEvent('page'), link.click()])
    await tab.waitForURL(`${site.url}/gmail-oauth**`)
    await sees(tab, 'Google has sent the code')
  })

  test('says what the service says when it refuses', async ({ page }) => {
    const bare = await startSite({ work: false })
    onTestFinished(() => bare.close())
    await page.goto((await newSetupLink(bare)).link)
    await sees(page, 'This browser can now set up Gmail')
    await page.goto(`${bare.url}/oauth-helper`)
    await press(page, 'Generate Auth URL')
    await page
      .getByRole('alert')
      .getByText(/^Error: Gmail is not set up\. Set GOOGLE_CLIENT_ID/)
      .waitFor()
    await seesToast(page, 'Error', 'Failed to generate auth URL')
  })

  test('says when no answer comes', async ({ page }) => {
    await page.goto('/oauth-helper')
    await page.route('**/trpc/mailSetup.*', (route) => route.abort())
    await press(page, 'Generate Auth URL')
    await page
      .getByRole('alert')
      .getByText(/^Error generating auth URL: The service could not be reached/)
      .waitFor()
    await seesToast(page, 'Error', 'Failed to generate auth URL')
  })
})

describe('/gmail-oauth', () => {
  test('opens Google in a new tab, which comes back with the code, and authorises', async ({
    page,
    visitor,
    site,
  }) => {
    const written = consoleOfTheService()
    google.answers = ({ body }) => Object.assign(body, { refresh_token: '1//refresh-me' })
    await page.goto('/gmail-oauth')
    await page.getByText('check the console for the refresh token').waitFor()
    const tab = await allowInNewTab(page, visitor, site)
    await seesToast(page, 'OAuth URL Generated')
    await page.getByRole('link', { name: 'Open the address' }).waitFor()

    // The code stays neither in the address bar nor in the history.
    await tab.waitForURL(`${site.url}/gmail-oauth`)
    await sees(tab, 'Google has sent the code')
    expect(await tab.getByLabel('Authorization Code').inputValue()).not.toBe('')
    await tab.getByRole('button', { name: 'Exchange Code for Tokens' }).click()
    await seesToast(tab, 'Success!', 'Refresh token received.')
    await sees(tab, 'Letters now go through this Gmail account')
    await tab.getByText('Google has sent the code').waitFor({ state: 'detached' })
    expect(await tab.getByLabel('Authorization Code').inputValue()).toBe('')
    expect(await accounts(site)).toEqual([ACCOUNT])
    expect(await tab.content()).not.toContain('refresh-me')
    expect(written.join('')).toContain('1//refresh-me')
  })

  test('accepts the whole address that Google redirected to, pasted by hand', async ({ page, site }) => {
    consoleOfTheService()
    google.answers = ({ body }) => Object.assign(body, { refresh_token: '1//refresh-me' })
    await page.goto('/gmail-oauth')
    await press(page, 'Generate OAuth URL')
    const authUrl = await page.getByRole('link', { name: 'Open the address' }).getAttribute('href')
    await codeField(page).fill(await google.allow(authUrl!))
    await codeField(page).press('Enter')
    await seesToast(page, 'Success!', 'Refresh token received.')
    expect(await accounts(site)).toEqual([ACCOUNT])
  })

  test("sends the generated address's state with a code that was pasted alone", async ({ page }) => {
    consoleOfTheService()
    await page.goto('/gmail-oauth')
    await press(page, 'Generate OAuth URL')
    const authUrl = new URL(
      (await page.getByRole('link', { name: 'Open the address' }).getAttribute('href'))!,
    )
    const back = new URL(await google.allow(authUrl.href))
    const [sent] = await Promise.all([
      page.waitForRequest('**/trpc/mailSetup.exchangeCode*'),
      codeField(page)
        .fill(back.searchParams.get('code')!)
        .then(() => press(page, 'Exchange Code for Tokens')),
    ])
    expect(sent.postDataJSON()).toEqual({
      code: back.searchParams.get('code'),
      state: authUrl.searchParams.get('state'),
    })
    await seesToast(page, 'Success!')
  })

  test('says when Google gave no refresh token', async ({ page, visitor, site }) => {
    google.answers = ({ body }) => {
      if (typeof body === 'object' && body) delete body.refresh_token
    }
    await page.goto('/gmail-oauth')
    const tab = await allowInNewTab(page, visitor, site)
    await tab.getByRole('button', { name: 'Exchange Code for Tokens' }).click()
    await seesToast(tab, 'No refresh token received', 'Check console for tokens.')
    await sees(tab, 'Google gave no refresh token')
    expect(await tab.getByText('Success!').count()).toBe(0)
    expect(await accounts(site)).toEqual([])
  })

  test.for(['', '   '])('asks for the code when it is %j', async (code, { page }) => {
    await page.goto('/gmail-oauth')
    await codeField(page).fill(code)
    await press(page, 'Exchange Code for Tokens')
    await page
      .getByRole('region', { name: /Notification/ })
      .getByText('Please enter the authorization code')
      .waitFor()
  })

  test('says why a code was refused', async ({ page }) => {
    await page.goto('/gmail-oauth?code=wrong&state=unknown')
    await press(page, 'Exchange Code for Tokens')
    await seesToast(page, 'Error', 'Failed to exchange authorization code')
    await page
      .getByRole('alert')
      .getByText(/^Error: This code does not belong to an authorization/)
      .waitFor()
    expect(await codeField(page).inputValue()).toBe('wrong')
  })

  test('says what to do when the permission was refused at Google', async ({ page, site }) => {
    await page.goto('/gmail-oauth?error=access_denied&state=x')
    await page.getByRole('alert').getByText('Error: access_denied').waitFor()
    await page.getByText('Google did not give the permission.').waitFor()
    await page.waitForURL(`${site.url}/gmail-oauth`)
  })

  test('says that the address could not be generated', async ({ page }) => {
    await page.goto('/gmail-oauth')
    await page.route('**/trpc/mailSetup.*', (route) => route.fulfill({ status: 500, body: '' }))
    await press(page, 'Generate OAuth URL')
    await seesToast(page, 'Error', 'Failed to generate auth URL')
    await page
      .getByRole('alert')
      .getByText(/^Error generating auth URL: /)
      .waitFor()
  })
})

describe('a set-up link', () => {
  test.for(['/oauth-helper', '/gmail-oauth'])('is what %s asks for without one', async (path, { visit }) => {
    const { page } = await visit()
    await page.goto(path)
    await page.getByRole('button', { name: /^Generate/ }).click()
    await page
      .getByRole('alert')
      .getByText(/This is for the maintainer\. Open the set-up link .* npm run setup-link/)
      .waitFor()
  })

  test('opens both pages, and leaves no token in the address bar', async ({ site, visit }) => {
    const { page } = await visit()
    await page.goto((await newSetupLink(site)).link)
    await sees(page, 'This browser can now set up Gmail')
    await page.waitForURL(`${site.url}/gmail-oauth`)
    await press(page, 'Generate OAuth URL')
    await page.getByRole('link', { name: 'Open the address' }).waitFor()
    await page.goto('/oauth-helper')
    await press(page, 'Generate Auth URL')
    await page.getByRole('link', { name: 'Authorize Gmail Access' }).waitFor()
  })

  test('also works when it is pasted into a tab that shows the page', async ({ site, visit }) => {
    const { page } = await visit()
    await page.goto('/gmail-oauth')
    await sees(page, 'Gmail OAuth Setup')
    const { token } = await newSetupLink(site)
    await page.evaluate((hash) => window.location.assign(hash), `#setup=${token}`)
    await sees(page, 'This browser can now set up Gmail')
  })

  test('that was used says so, and how to get another', async ({ site, visit }) => {
    const { link } = await newSetupLink(site)
    const first = await visit()
    await first.page.goto(link)
    await sees(first.page, 'This browser can now set up Gmail')
    const { page } = await visit()
    await page.goto(link)
    await page
      .getByRole('alert')
      .getByText(/^Error: This set-up link was already used, .* npm run setup-link/)
      .waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  })

  test('is opened again at the press of a button when the network failed', async ({ site, visit }) => {
    const { page } = await visit()
    const call = '**/trpc/mailSetup.openSetupLink*'
    await page.route(call, (route) => route.abort())
    await page.goto((await newSetupLink(site)).link)
    await page
      .getByRole('alert')
      .getByText(/^Error: The service could not be reached/)
      .waitFor()
    await page.unroute(call)
    const { letGo } = await holdBack(page, call)
    await press(page, 'Try again')
    await page.getByRole('status').getByText('Opening the set-up link...').waitFor()
    letGo()
    await sees(page, 'This browser can now set up Gmail')
  })
})

describe('with ADMIN_TOKEN', () => {
  const protectedSite = async () => {
    const site = await startSite({ ...OPTIONS, env: { ...CLIENT, ADMIN_TOKEN } })
    onTestFinished(() => site.close())
    return site
  }
  const newPage = async (browser: Browser, options: BrowserContextOptions) => {
    const context = await browser.newContext(options)
    onTestFinished(() => context.close())
    return await context.newPage()
  }

  test.for(['/oauth-helper', '/gmail-oauth'])(
    '%s says who may use it, and how',
    async (path, { browser }) => {
      const page = await newPage(browser, { baseURL: (await protectedSite()).url })
      await page.goto(path)
      await page.getByRole('button', { name: /^Generate/ }).click()
      await page
        .getByRole('alert')
        .getByText(/This is for the maintainer\. Log in with any user name, and ADMIN_TOKEN as the password/)
        .waitFor()
    },
  )

  test("the browser's own login dialog opens the pages", async ({ browser }) => {
    const page = await newPage(browser, {
      baseURL: (await protectedSite()).url,
      httpCredentials: { username: 'anyone', password: ADMIN_TOKEN },
    })
    await page.goto('/oauth-helper')
    await page.getByRole('button', { name: 'Generate Auth URL' }).click()
    await page.getByRole('link', { name: 'Authorize Gmail Access' }).waitFor()
    await page.goto('/gmail-oauth')
    await page.getByLabel('Authorization Code').fill('wrong')
    await page.getByRole('button', { name: 'Exchange Code for Tokens' }).click()
    await page
      .getByRole('alert')
      .getByText(/^Error: Google refused the authorization code/)
      .waitFor()
  })

  test('the pages ask for it when it is missing and other machines reach Inframe', async ({ browser }) => {
    const site = await startSite({ work: false, env: { ...CLIENT, HOST: '0.0.0.0' } })
    onTestFinished(() => site.close())
    const page = await newPage(browser, { baseURL: site.url })
    await page.goto('/gmail-oauth')
    await page.getByRole('button', { name: 'Generate OAuth URL' }).click()
    await page
      .getByRole('alert')
      .getByText(/ADMIN_TOKEN has to be set first/)
      .waitFor()
  })
})
