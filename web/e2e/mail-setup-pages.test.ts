import type { Page } from 'playwright-core'
import { afterAll, describe, expect, onTestFinished, vi } from 'vitest'
import { ACCOUNT, startGoogle } from '../../src/testing/google.ts'
import { HIDDEN, headOf } from './head.ts'
import type { Site } from './site.ts'
import { startSite } from './site.ts'
import { siteTest } from './site-test.ts'
import { sees, seesToast, type Visitor } from './visitor.ts'

const ADMIN_TOKEN = 'the token of the maintainer'
/** No letter is sent here. */
const NO_MAIL_SERVER = { host: '127.0.0.1', port: 9 }

const google = await startGoogle()
afterAll(() => google.close())

const test = siteTest({
  work: false,
  env: { GOOGLE_CLIENT_ID: 'client-1', GOOGLE_CLIENT_SECRET: 'GOCSPX-hush', ADMIN_TOKEN },
  google: { endpoints: google.endpoints, mailServer: NO_MAIL_SERVER },
})
test.beforeEach(async ({ site }) => {
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

describe('from another machine', () => {
  // A call through a proxy does not count as one from this machine.
  const PROXIED = { extraHTTPHeaders: { 'x-forwarded-for': '192.0.2.7' } }

  test.for(['/oauth-helper', '/gmail-oauth'])(
    '%s says who may use it, and how',
    async (path, { browser, site }) => {
      const context = await browser.newContext({ ...PROXIED, baseURL: site.url })
      onTestFinished(() => context.close())
      const away = await context.newPage()
      await away.goto(path)
      await away.getByRole('button', { name: /^Generate/ }).click()
      const alert = away.getByRole('alert')
      await alert
        .getByText(/This is for the maintainer: .* log in with ADMIN_TOKEN as the password/)
        .waitFor()
      await alert.getByText(/your browser asks for a login/).waitFor()
    },
  )

  test("the browser's own login dialog opens the pages", async ({ browser, site }) => {
    const context = await browser.newContext({
      ...PROXIED,
      baseURL: site.url,
      httpCredentials: { username: 'anyone', password: ADMIN_TOKEN },
    })
    onTestFinished(() => context.close())
    const away = await context.newPage()
    await away.goto('/oauth-helper')
    await away.getByRole('button', { name: 'Generate Auth URL' }).click()
    await away.getByRole('link', { name: 'Authorize Gmail Access' }).waitFor()
    await away.goto('/gmail-oauth')
    await away.getByLabel('Authorization Code').fill('wrong')
    await away.getByRole('button', { name: 'Exchange Code for Tokens' }).click()
    await away
      .getByRole('alert')
      .getByText(/^Error: /)
      .waitFor()
    await away
      .getByRole('alert')
      .getByText(/ADMIN_TOKEN/)
      .waitFor({ state: 'detached' })
  })
})
