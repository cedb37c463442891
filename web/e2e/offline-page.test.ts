import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const test = siteTest({ work: false })

test('a page whose code cannot be loaded offline says so, and loads once the network is back', async ({
  page,
  visitor,
}) => {
  const { context } = visitor
  await page.goto('/')
  await page.getByRole('link', { name: 'Privacy' }).waitFor()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Albums' }).click()
  await sees(page, 'You are offline')
  await context.setOffline(false)
  await sees(page, 'Browse Photo Albums')
})
