import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { launchBrowser } from './browser.ts'
import { type Site, startSite } from './site.ts'
import { newVisitor, sees, seesToast } from './visitor.ts'

let browser: Browser
let site: Site

beforeAll(async () => {
  ;[browser, site] = await Promise.all([launchBrowser(), startSite()])
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

test('a guest who comes back needs no password a second time', async () => {
  const album = await site.createAlbum('Garden Party')
  await site.fill(album, [1])
  const { page, leave } = await newVisitor(browser, site.url, { device: 'phone' })

  await page.goto(`/album/${album.albumName}`)
  await page.getByLabel('Album password').fill(album.password)
  await page.getByRole('button', { name: 'Access Album' }).click()
  await seesToast(page, 'Access granted!', 'Welcome to Garden Party')

  await page.goto('about:blank')
  await page.goto(`/album/${album.albumName}`)
  await sees(page, 'Drop your selfie here')
  await leave()
})
