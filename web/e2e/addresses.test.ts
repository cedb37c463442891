import { expect, test } from 'vitest'
import { openSite, page, site, visitInEachTest } from './open-site.ts'
import { sees } from './visitor.ts'

openSite({ work: false })
visitInEachTest()

test.each([
  ['/albums/', 'Browse Photo Albums'],
  ['/album/nowhere/', 'Album Not Found'],
  ['/selfie/results/', 'Invalid Request'],
  ['/selfie/results/1/', 'Loading Error'],
  ['/privacy-policy/', 'Privacy Policy'],
])('%s is the page without the slash', async (address, heading) => {
  await page.goto(address)
  await page.getByRole('heading', { level: 1, name: heading }).waitFor()
  expect(new URL(page.url()).pathname).toBe(address.replace(/\/$/, ''))
})

test('a slash at the end changes nothing for a page that is opened without loading the site again', async () => {
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
