import { expect, test } from 'vitest'
import { readSample } from '../../src/testing/client.ts'
import { browser, openSite, site } from './open-site.ts'
import { organiserAtWork } from './organiser.ts'

openSite({ work: false })

test('a hint opens after 700 ms, and the next one at once within 300 ms', async () => {
  const { page, choose, leave } = await organiserAtWork(browser, site)
  await page.clock.install()
  await page.reload({ waitUntil: 'networkidle' })
  const buffer = await readSample(1)
  await choose(['a.jpg', 'b.jpg'].map((name) => ({ name, mimeType: 'image/jpeg', buffer })))
  const remove = (name: string) => page.getByRole('button', { name: `Remove ${name}`, exact: true })
  const hint = (name: string) => page.getByRole('tooltip').filter({ hasText: `Remove ${name}` })
  await remove('b.jpg').waitFor()
  // A preview is drawn without the service: no request is owed.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)

  await remove('a.jpg').hover()
  await page.clock.runFor(699)
  expect(await hint('a.jpg').count()).toBe(0)
  await page.clock.runFor(1)
  await hint('a.jpg').waitFor({ state: 'attached' })

  await page.mouse.move(0, 0, { steps: 10 })
  await hint('a.jpg').waitFor({ state: 'detached' })
  await page.clock.runFor(299)
  await remove('b.jpg').hover()
  await hint('b.jpg').waitFor({ state: 'attached' })

  await page.mouse.move(0, 0, { steps: 10 })
  await hint('b.jpg').waitFor({ state: 'detached' })
  await page.clock.runFor(300)
  await remove('a.jpg').hover()
  await page.clock.runFor(699)
  expect(await hint('a.jpg').count()).toBe(0)
  await page.clock.runFor(1)
  await hint('a.jpg').waitFor({ state: 'attached' })
  await leave()
})
