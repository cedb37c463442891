import { test } from 'vitest'
import { browser, openSite, site } from './open-site.ts'
import { newVisitor, sees } from './visitor.ts'

openSite({ work: false })

test('a page whose code cannot be loaded offline says so, and loads once the network is back', async () => {
  const { page, context, leave } = await newVisitor(browser, site.url)
  await page.goto('/')
  await page.getByRole('link', { name: 'Privacy' }).waitFor()
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Albums' }).click()
  await sees(page, 'You are offline')
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await sees(page, 'Browse Photo Albums')
  await leave()
})
