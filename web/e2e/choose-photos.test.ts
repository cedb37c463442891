import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { organiserAtWork } from './organiser.ts'
import { numbered, photoFolder } from './photo-folder.ts'
import { siteTest } from './site-test.ts'
import { sees, seesToast } from './visitor.ts'

const test = siteTest({ work: false }).extend(
  'folder',
  { scope: 'file' },
  photoFolder({
    ...numbered(17),
    'Party/1.jpg': null,
    'Party/Dance/1.jpg': null,
    'Party/Dance/Late/2.jpeg': null,
    'Party/Dance/film.mp4': Buffer.from('film'),
    'Party/.DS_Store': Buffer.from('junk'),
    'Party/._1.jpg': Buffer.from('about the photo'),
    'Party/desktop.ini': Buffer.from('junk'),
  }),
)

/** Drags files or folders from the disk over the drop area.
 *  @returns what drops them there */
async function dragOver(page: Page, paths: string[]): Promise<() => Promise<unknown>> {
  const box = (await page.getByRole('button', { name: 'Drop photos or folders here' }).boundingBox())!
  const devtools = await page.context().newCDPSession(page)
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    devtools.send('Input.dispatchDragEvent', {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data: { items: [], files: paths, dragOperationsMask: 1 },
    })
  await drag('dragEnter')
  await drag('dragOver')
  return () => drag('drop')
}

test('photos are dropped on the drop area, which shows that it takes them', async ({
  visit,
  site,
  folder,
}) => {
  const { page } = await organiserAtWork(visit, site)
  const area = page.getByRole('button', { name: 'Drop photos or folders here' })
  expect(await area.evaluate((it) => getComputedStyle(it).borderStyle)).toBe('dashed')
  const drop = await dragOver(page, folder.paths('1.jpg', '2.jpg', 'Party/Dance/film.mp4'))
  await expect.poll(() => area.evaluate((it) => getComputedStyle(it).borderStyle)).toBe('solid')
  await drop()
  await sees(page, '2 photos selected')
  await seesToast(page, '1 file blocked')
  await expect.poll(() => area.evaluate((it) => getComputedStyle(it).borderStyle)).toBe('dashed')
})

test('a folder is dropped with everything in it, and its photos are uploaded', async ({
  visit,
  site,
  folder,
}) => {
  const { page, album, upload } = await organiserAtWork(visit, site)
  const drop = await dragOver(page, [...folder.paths('Party'), ...folder.paths('1.jpg')])
  await drop()
  await sees(page, '4 photos selected')
  await seesToast(
    page,
    '1 file blocked',
    'film.mp4: Only JPEG and PNG files are supported (facial recognition service requirement)',
  )
  await upload()
  await seesToast(page, 'Upload completed!', '4 photos uploaded successfully, 0 failed')
  const { body } = await album.owner.get(`/api/albums/${album.ownerKey}/coverage`)
  expect(body.photosStored).toBe(4)
  // A dropped folder and the same folder from the dialog are the same photos.
  await page.goto('/bulk-upload')
  await page.setInputFiles('input[webkitdirectory]', folder.paths('Party')[0]!)
  await sees(page, 'All 3 photos are already in the album')
})

test.for(['desktop', 'phone'] as const)(
  'on a %s the first 15 photos are shown in 5 columns and 3 rows',
  async (device, { visit, site, folder }) => {
    const { page, choose } = await organiserAtWork(visit, site, { device })
    await choose(folder.paths(...Object.keys(numbered(17))))
    await sees(page, '17 photos selected')
    const tiles = page.getByRole('main').getByRole('listitem')
    await page.waitForFunction(() => document.querySelectorAll('main li img').length === 15)
    const boxes = await tiles.evaluateAll((all) => all.map((it) => it.getBoundingClientRect().toJSON()))
    expect(boxes).toHaveLength(15)
    expect(new Set(boxes.map(({ x }) => Math.round(x))).size).toBe(5)
    expect(new Set(boxes.map(({ y }) => Math.round(y))).size).toBe(3)
    const names = await tiles.locator('img').evaluateAll((all) => all.map((it) => it.getAttribute('alt')))
    expect(names).toEqual(Object.keys(numbered(15)))
    await sees(page, 'and 2 more photos')
  },
)

test.for(['desktop', 'phone'] as const)(
  'on a %s the remove buttons measure 24 pixels or more and cover no picture',
  async (device, { visit, site, folder }) => {
    const { page, choose } = await organiserAtWork(visit, site, { device })
    await choose(folder.paths('1.jpg', '2.jpg'))
    const tile = page.getByRole('listitem').filter({ has: page.getByRole('img', { name: '1.jpg' }) })
    const picture = (await tile.getByRole('img', { name: '1.jpg' }).boundingBox())!
    const remove = (await tile.getByRole('button', { name: 'Remove 1.jpg' }).boundingBox())!
    expect(Math.min(remove.width, remove.height)).toBeGreaterThanOrEqual(24)
    expect(remove.y).toBeGreaterThanOrEqual(picture.y + picture.height)
    await tile.getByRole('button', { name: 'Remove 1.jpg' }).click()
    await sees(page, '1 photo selected')
  },
)
