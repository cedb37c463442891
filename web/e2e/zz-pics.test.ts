import { writeFile } from 'node:fs/promises'
import { fillWithRows } from './album-visits.ts'
import { siteTest } from './site-test.ts'
const test = siteTest()
const NAMES = {
  short: 'Ana & Léo',
  long: 'The summer party of the department of applied mathematics and computer science, Rotterdam, 2025 A.D.',
  arabic: 'حفل زفاف ليلى وعمر في حديقة البرتقال على شاطئ البحر',
}
const OUT = '/tmp/share-pics/'
test('pictures', async ({ visit, site }) => {
  for (const [kind, name] of Object.entries(NAMES)) {
    const album = await site.createAlbum(name)
    await fillWithRows(site, album, 2)
    const { page, signInAs } = await visit({ colorScheme: kind === 'short' ? 'light' : 'dark', viewport: { width: 794, height: 1123 } })
    await signInAs(album.owner)
    await page.goto(`/manage/${album.albumName}/share`)
    for (const [paper, label] of [['poster', 'Poster, A4'], ['cards', 'Four table cards, A4 to cut'], ['card', 'One table card, A6']] as const) {
      await page.getByLabel(label).check()
      await page.emulateMedia({ media: 'print' })
      await page.screenshot({ path: `${OUT}${kind}-${paper}.png` })
      await writeFile(`${OUT}${kind}-${paper}.pdf`, await page.pdf({ preferCSSPageSize: true }))
      await page.emulateMedia({ media: 'screen' })
    }
  }
  const album = await site.createAlbum('Garden Party')
  await fillWithRows(site, album, 2)
  for (const device of ['phone', 'desktop'] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      const v = await visit({ device, colorScheme, ...(device === 'desktop' && { viewport: { width: 1440, height: 900 } }) })
      await v.signInAs(album.owner)
      await v.page.goto(`/manage/${album.albumName}`)
      await v.page.getByText('Look as a guest').waitFor()
      await v.page.waitForTimeout(500)
      await v.page.screenshot({ path: `${OUT}overview-${device}-${colorScheme}.png` })
      await v.page.goto(`/manage/${album.albumName}/share`)
      const box = v.page.getByLabel('Guests who scan a code are in at once')
      if (!(await box.isChecked())) await box.click()
      await v.page.getByText('#password=').waitFor()
      await v.page.waitForTimeout(300)
      await v.page.screenshot({ path: `${OUT}share-${device}-${colorScheme}.png`, fullPage: true })
      await v.page.getByRole('button', { name: 'Change the password' }).click()
      await v.page.screenshot({ path: `${OUT}dialog-${device}-${colorScheme}.png` })
      await v.page.goto(`/album/${album.albumName}?as=guest`)
      await v.page.getByText('You see the album').waitFor()
      await v.page.waitForTimeout(500)
      await v.page.screenshot({ path: `${OUT}guest-${device}-${colorScheme}.png` })
      const g = await visit({ device, colorScheme })
      await g.page.goto(`/album/${album.albumName}#password=wrong`)
      await g.page.getByText('This code has been ended').waitFor()
      await g.page.screenshot({ path: `${OUT}ended-${device}-${colorScheme}.png` })
    }
})
