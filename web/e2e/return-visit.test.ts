import { siteTest } from './site-test.ts'
import { sees, seesToast } from './visitor.ts'

const test = siteTest()

test('a guest who comes back needs no password a second time', async ({ visit, site }) => {
  const album = await site.createAlbum('Garden Party')
  await site.fill(album, [1])
  const { page } = await visit({ device: 'phone' })

  await page.goto(`/album/${album.albumName}`)
  await page.getByLabel('Album password').fill(album.password)
  await page.getByRole('button', { name: 'Access Album' }).click()
  await seesToast(page, 'Access granted!', 'Welcome to Garden Party')

  await page.goto('about:blank')
  await page.goto(`/album/${album.albumName}`)
  await sees(page, 'Drop your selfie here')
})
