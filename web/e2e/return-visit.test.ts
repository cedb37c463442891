import { test } from 'vitest'
import { browser, openSite, site } from './open-site.ts'
import { newVisitor, sees, seesToast } from './visitor.ts'

openSite()

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
