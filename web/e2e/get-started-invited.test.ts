import { expect } from 'vitest'
import { invite } from '../../src/albums/invitations.ts'
import { COMMAND_LINE } from '../../src/audit/audit-log.ts'
import { continueButton, fillGetStarted } from './get-started.ts'
import { siteTest } from './site-test.ts'
import { sees, seesToast } from './visitor.ts'

const test = siteTest({ work: false, env: { ALBUM_CREATION: 'invited' } })

test('by invitation the form asks for a code, says what is wrong with it, and creates the album', async ({
  page,
  site,
}) => {
  const { code } = await invite(site.context.services, { albums: 1, days: 1 }, COMMAND_LINE)
  await page.goto('/get-started')
  await fillGetStarted(page, 'Party')
  const button = continueButton(page)
  expect(await button.isDisabled()).toBe(true)
  const field = page.getByLabel('Invitation Code')
  await field.fill('guess')
  await button.click()
  await seesToast(page, 'Error', 'Failed to set up album. Please try again.')
  await sees(page, 'This invitation code is wrong')
  expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
  await field.fill(code)
  await button.click()
  await page.waitForURL('**/bulk-upload')
})
