import { expect } from 'vitest'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const test = siteTest({ work: false })

test.for([
  ['/albums/', 'Browse Photo Albums'],
  ['/album/nowhere/', 'Album Not Found'],
  ['/selfie/results/', 'Invalid Request'],
  ['/selfie/results/1/', 'Loading Error'],
  ['/privacy-policy/', 'Privacy Policy'],
] as const)('%s is the page without the slash', async ([address, heading], { page }) => {
  await page.goto(address)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  expect(new URL(page.url()).pathname).toBe(address.replace(/\/$/, ''))
})

test('a slash at the end changes nothing for a page that is opened without loading the site again', async ({
  page,
  site,
}) => {
  await page.goto('/privacy-policy')
  await page.getByRole('link', { name: 'Terms' }).click()
  await page.getByRole('heading', { level: 1, name: 'Terms of Service' }).waitFor()
  await page.evaluate(() => {
    history.pushState(null, '', '/albums/')
    window.dispatchEvent(new PopStateEvent('popstate'))
  })
  await sees(page, 'Browse Photo Albums')
  expect(page.url()).toMatch(new RegExp(`^${site.url}/albums/?$`))
})
