import type { Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { ACCOUNT, startGoogle } from '../../src/testing/google.ts'
import { newSetupLink } from '../../src/testing/maintainer.ts'
import { expectNoAxeFault } from './axe.ts'
import { siteTest } from './site-test.ts'
import { holdBack, sees, seesToast } from './visitor.ts'

const google = await startGoogle()
afterAll(() => google.close())

const test = siteTest({
  work: false,
  env: { GOOGLE_CLIENT_ID: 'client-1', GOOGLE_CLIENT_SECRET: 'GOCSPX-hush' },
  // No letter is sent here.
  google: { endpoints: google.endpoints, mailServer: { host: '127.0.0.1', port: 9 } },
})

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const codeField = (page: Page) => page.getByLabel('Authorization Code')
const alert = (page: Page, text: RegExp | string) => page.getByRole('alert').getByText(text).waitFor()

test('a maintainer with a set-up link allows Gmail at Google, and letters go through it', async ({
  page,
  visitor: { context },
  site,
}) => {
  google.answers = ({ body }) => Object.assign(body, { refresh_token: '1//refresh-me' })
  // Without the link the page says how to get one.
  await page.goto('/gmail-oauth')
  await expect.poll(() => page.title()).toBe('Gmail OAuth Setup · Inframe')
  await press(page, 'Generate OAuth URL')
  await alert(page, /This is for the maintainer\. Open the set-up link .* npm run setup-link/)
  await seesToast(page, 'Error', 'Failed to generate auth URL')

  const { token } = await newSetupLink(site)
  const opening = '**/trpc/mailSetup.openSetupLink*'
  await page.route(opening, (route) => route.abort())
  await page.evaluate((hash) => window.location.assign(hash), `#setup=${token}`)
  await alert(page, /^Error: The service could not be reached/)
  await page.unroute(opening)
  const { letGo } = await holdBack(page, opening)
  await press(page, 'Try again')
  await page.getByRole('status').getByText('Opening the set-up link...').waitFor()
  letGo()
  await sees(page, 'This browser can now set up Gmail')
  await page.waitForURL(`${site.url}/gmail-oauth`)

  await page.getByText('check the console for the refresh token').waitFor()
  const [tab] = await Promise.all([context.waitForEvent('page'), press(page, 'Generate OAuth URL')])
  await seesToast(page, 'OAuth URL Generated')
  await page.getByRole('link', { name: 'Open the address' }).waitFor()
  // The code stays neither in the address bar nor in the history.
  await tab.waitForURL(`${site.url}/gmail-oauth`)
  await sees(tab, 'Google has sent the code')
  expect(await codeField(tab).inputValue()).not.toBe('')
  await expectNoAxeFault(tab)
  await press(tab, 'Exchange Code for Tokens')
  await seesToast(tab, 'Success!', 'Refresh token received.')
  await sees(tab, 'Letters now go through this Gmail account')
  await tab.getByText('Google has sent the code').waitFor({ state: 'detached' })
  expect(await codeField(tab).inputValue()).toBe('')
  const accounts = await site.database.db.selectFrom('mail_authorisation').select('account').execute()
  expect(accounts).toEqual([{ account: ACCOUNT }])
  expect(await tab.content()).not.toContain('refresh-me')

  await page.goto('/oauth-helper')
  await press(page, 'Generate Auth URL')
  await page.getByRole('listitem').getByText(`${site.url}/gmail-oauth`, { exact: true }).waitFor()
  await expectNoAxeFault(page)
  const helperLink = page.getByRole('link', { name: 'Authorize Gmail Access' })
  const [helperTab] = await Promise.all([context.waitForEvent('page'), helperLink.click()])
  await sees(helperTab, 'Google has sent the code')
})

test('the pages say what is wrong with a link, a code, a permission, or the answer', async ({
  page,
  visit,
  site,
}) => {
  const { link } = await newSetupLink(site)
  await page.goto(link)
  await sees(page, 'This browser can now set up Gmail')
  const other = await visit()
  await other.page.goto(link)
  await alert(other.page, /^Error: This set-up link was already used, .* npm run setup-link/)
  await expectNoAxeFault(other.page)
  expect(await other.page.getByRole('button', { name: 'Try again' }).count()).toBe(0)

  await page.goto('/gmail-oauth?code=wrong&state=unknown')
  await press(page, 'Exchange Code for Tokens')
  await seesToast(page, 'Error', 'Failed to exchange authorization code')
  await alert(page, /^Error: This code does not belong to an authorization/)
  expect(await codeField(page).inputValue()).toBe('wrong')
  await page.goto('/gmail-oauth?error=access_denied&state=x')
  await alert(page, 'Error: access_denied')
  await page.waitForURL(`${site.url}/gmail-oauth`)

  // A code that is pasted alone is sent with the state of the address that was generated.
  google.answers = ({ body }) => {
    if (typeof body === 'object' && body) delete body.refresh_token
  }
  await press(page, 'Generate OAuth URL')
  const address = await page.getByRole('link', { name: 'Open the address' }).getAttribute('href')
  const back = new URL(await google.allow(address!))
  await codeField(page).fill(back.searchParams.get('code')!)
  await codeField(page).press('Enter')
  await seesToast(page, 'No refresh token received', 'Check console for tokens.')
  await sees(page, 'Google gave no refresh token')

  await page.goto('/oauth-helper')
  await page.route('**/trpc/mailSetup.*', (route) => route.abort())
  await press(page, 'Generate Auth URL')
  await alert(page, /^Error generating auth URL: The service could not be reached/)
  await seesToast(page, 'Error', 'Failed to generate auth URL')
  await expectNoAxeFault(page)
})
