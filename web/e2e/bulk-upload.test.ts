import { expect } from 'vitest'
import { organiserAtWork, seesSuccessPage, UPLOADS } from './organiser.ts'
import { makePhotoFolder, numbered, type PhotoFolder } from './photo-folder.ts'
import { siteTest } from './site-test.ts'
import { recordToasts, toastsOf } from './toasts.ts'
import { sees, seesToast } from './visitor.ts'

const test = siteTest({ work: false }).extend(
  'folderOf',
  // biome-ignore lint/correctness/noEmptyPattern: Vitest insists on a destructuring pattern.
  async ({}, { onCleanup }) => {
    const folders: PhotoFolder[] = []
    onCleanup(async () => {
      for (const folder of folders) await folder.remove()
    })
    return async (files: Parameters<typeof makePhotoFolder>[0]) => {
      const folder = await makePhotoFolder(files)
      folders.push(folder)
      return folder
    }
  },
)

const TOO_LARGE = Buffer.alloc(6 * 1024 * 1024)

test('without the saved values the page leads to /get-started', async ({ page, visitor }) => {
  const { becomeOrganiser } = visitor
  await page.goto('/bulk-upload')
  await page.waitForURL('**/get-started')
  await becomeOrganiser({ userEmail: 'owner@example.com', eventName: '', userAlbumId: 'key' })
  await page.goto('/bulk-upload')
  await page.waitForURL('**/get-started')
})

test('after the upload the next page says, once, what happens next', async ({ visit, site, folderOf }) => {
  const folder = await folderOf(numbered(17))
  const { page, choose, upload, progress } = await organiserAtWork(visit, site)
  const bodies: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/upload-photos')) bodies.push(request.headers()['content-type'] ?? '')
  })
  await choose(folder.paths(...Object.keys(numbered(17))))
  await sees(page, '17 photos selected')
  expect(await page.locator('main ul img').count()).toBeLessThanOrEqual(15)
  await sees(page, 'and 2 more photos')
  const finished = page.waitForRequest('**/trpc/albums.finishUpload**')
  await upload()
  await page.getByRole('button', { name: 'Uploading...' }).waitFor()
  await page.getByRole('button', { name: 'Clear All' }).waitFor({ state: 'hidden' })
  await seesToast(page, 'Upload completed!', '17 photos uploaded successfully, 0 failed')
  await sees(page, '17 photos uploaded')
  const progressCard = page.getByRole('region', { name: 'Upload progress' })
  await expect.poll(async () => (await progressCard.boundingBox())?.y).toBeGreaterThan(60)
  await finished
  await seesSuccessPage(page)
  expect(bodies).toHaveLength(2)
  expect(await toastsOf(page)).toEqual([['Upload completed!', '17 photos uploaded successfully, 0 failed']])
  expect(await progress()).toMatchObject({ totalPhotos: 17, photosUploadedToS3: 17, isUploadingToS3: false })

  await page.getByRole('heading', { name: 'Upload Started Successfully!' }).waitFor()
  const main = page.getByRole('main')
  expect(await main.innerText()).toContain(
    '17 photos are being processed for Garden Party. We will notify you at owner@example.com.',
  )
  await page.getByRole('heading', { name: 'What happens next' }).waitFor()
  for (const step of [
    'Secure cloud storage',
    'AI face indexing',
    'Album ready for friends to search',
    'Email with album link',
  ])
    await sees(page, step)
  expect(await main.innerText()).toContain(
    'Processing may take minutes to a few hours. Albums of 1000+ photos may take several hours.',
  )
  const link = (name: string) => page.getByRole('link', { name, exact: true }).getAttribute('href')
  expect(await link('Back to Home')).toBe('/')
  expect(await link('Create Another Album')).toBe('/get-started')

  await page.reload()
  await page.waitForURL((url) => url.pathname === '/')
})

test('a single photo is counted in the singular', async ({ visit, site, folderOf }) => {
  const folder = await folderOf({ 'only.jpg': null })
  const { page, choose } = await organiserAtWork(visit, site)
  await page.getByRole('button', { name: 'Upload Photos' }).waitFor()
  await choose(folder.paths('only.jpg'))
  await sees(page, '1 photo selected')
  await page.getByRole('button', { name: 'Upload 1 Photo', exact: true }).click()
  await seesToast(page, 'Upload completed!', '1 photo uploaded successfully, 0 failed')
})

test('an upload without photos shows a hint', async ({ visit, site }) => {
  const { page, upload } = await organiserAtWork(visit, site)
  await sees(page, 'JPEG and PNG, up to 5 MB each. An album holds up to 100,000 photos, or 500 GB.')
  await upload()
  await seesToast(page, 'No photos selected', 'Please select photos to upload')
})

test('a file that cannot be a photo is blocked with its reason, the first three by name', async ({
  visit,
  site,
  folderOf,
}) => {
  const folder = await folderOf({
    'big.jpg': TOO_LARGE,
    'IMG_0001.HEIC': Buffer.from('ftypheic'),
    'empty.png': Buffer.alloc(0),
    'notes.txt': Buffer.from('notes'),
    'film.mp4': Buffer.from('film'),
    'good.jpg': null,
  })
  const { page, choose } = await organiserAtWork(visit, site)
  await choose(folder.paths('big.jpg', 'IMG_0001.HEIC', 'empty.png'))
  const three = [
    'big.jpg: File too large (max 5MB per photo for facial recognition)',
    'IMG_0001.HEIC: Only JPEG and PNG files are supported (facial recognition service requirement)',
    'empty.png: Invalid file',
  ]
  await seesToast(page, '3 files blocked')
  await choose(folder.paths('big.jpg', 'IMG_0001.HEIC', 'empty.png', 'notes.txt', 'film.mp4', 'good.jpg'))
  await seesToast(page, '5 files blocked')
  await sees(page, '1 photo selected')
  await choose(folder.paths('notes.txt'))
  await seesToast(page, '1 file blocked')
  expect(await toastsOf(page)).toEqual([
    ['3 files blocked', three.join('\n')],
    ['5 files blocked', [...three, '...and 2 more'].join('\n')],
    [
      '1 file blocked',
      'notes.txt: Only JPEG and PNG files are supported (facial recognition service requirement)',
    ],
  ])
})

test('when a folder is chosen, its photos are selected, with names in any script, and its other files are ignored', async ({
  visit,
  site,
  folderOf,
}) => {
  const names = [
    'Sommerfest/Größe ß.jpg',
    'Sommerfest/写真 一.JPG',
    'Sommerfest/tief/صورة.jpeg',
    'Sommerfest/😀 & Co.jpg',
  ]
  const folder = await folderOf({
    ...Object.fromEntries(names.map((name) => [name, null])),
    'Sommerfest/Thumbs.db': Buffer.from('junk'),
    'Sommerfest/.DS_Store': Buffer.from('junk'),
    'Sommerfest/._Größe ß.jpg': Buffer.from('about the photo'),
    'Sommerfest/tief/broken.jpg': Buffer.from('no photo at all'),
  })
  const { page, chooseFolder, upload, album } = await organiserAtWork(visit, site)
  await chooseFolder(folder.paths('Sommerfest')[0]!)
  await sees(page, '5 photos selected')
  await page.getByRole('img', { name: 'broken.jpg, no preview' }).waitFor()
  await page.getByRole('img', { name: '写真 一.JPG', exact: true }).waitFor()
  await upload()
  await seesToast(page, 'Upload completed!', '4 photos uploaded successfully, 1 failed')
  await seesSuccessPage(page)
  await sees(page, '1 photo not uploaded')
  const stored = await site.database.db
    .selectFrom('photos')
    .innerJoin('albums', 'albums.id', 'photos.album_id')
    .where('albums.slug', '=', album.albumName)
    .select('filename')
    .execute()
  expect(stored.map(({ filename }) => filename).sort()).toEqual(
    names.map((name) => name.split('/').at(-1)!).sort(),
  )
})

test('previews are small pictures of the first 15 photos, and are freed when their photos are removed', async ({
  visit,
  site,
  folderOf,
}) => {
  const folder = await folderOf(numbered(20))
  const { page, choose } = await organiserAtWork(visit, site)
  await page.evaluate(() => {
    const live = new Set<string>()
    Object.assign(window, { liveUrls: live })
    const { createObjectURL, revokeObjectURL } = URL
    URL.createObjectURL = (object: Blob) => {
      const url = createObjectURL.call(URL, object)
      live.add(url)
      return url
    }
    URL.revokeObjectURL = (url) => {
      live.delete(url)
      revokeObjectURL.call(URL, url)
    }
  })
  const live = () => page.evaluate(() => (window as unknown as { liveUrls: Set<string> }).liveUrls.size)
  await choose(folder.paths(...Object.keys(numbered(20))))
  await page.waitForFunction(() => document.querySelectorAll('main li img').length === 15)
  const widths = await page.locator('main li img').evaluateAll((all) =>
    Promise.all(
      all.map(async (image) => {
        await (image as HTMLImageElement).decode()
        return (image as HTMLImageElement).naturalWidth
      }),
    ),
  )
  expect(new Set(widths)).toEqual(new Set([360]))
  expect(await live()).toBe(15)

  await page.getByRole('button', { name: 'Remove 3.jpg' }).click()
  await sees(page, '19 photos selected')
  await page.getByRole('img', { name: '16.jpg', exact: true }).waitFor()
  expect(await page.getByRole('img', { name: '3.jpg', exact: true }).count()).toBe(0)
  expect(await live()).toBe(15)

  await page.getByRole('button', { name: 'Clear All' }).click()
  await page.getByRole('button', { name: 'Upload Photos' }).waitFor()
  expect(await live()).toBe(0)
})

test('everything can be done by keyboard', async ({ visit, site, folderOf }) => {
  const folder = await folderOf(numbered(2))
  const { page } = await organiserAtWork(visit, site)
  const focusOn = async (name: string) => {
    const target = page.getByRole('button', { name })
    for (let presses = 0; presses < 30; presses++) {
      if (await target.evaluate((element) => element === document.activeElement)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`Tab does not reach "${name}"`)
  }
  await focusOn('Drop photos or folders here')
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')])
  await chooser.setFiles(folder.paths('1.jpg', '2.jpg'))
  await sees(page, '2 photos selected')
  await focusOn('Remove 2.jpg')
  await page.keyboard.press('Enter')
  await focusOn('Upload 1 Photo')
  await page.keyboard.press('Enter')
  await seesToast(page, 'Upload completed!', '1 photo uploaded successfully, 0 failed')
})

test('/upload-success without its record leads to the landing page', async ({ page }) => {
  await recordToasts(page)
  await page.goto('/upload-success')
  await page.waitForURL((url) => url.pathname === '/')
})

test('photos are uploaded from a browser that blocks IndexedDB, too', async ({ visit, site, folderOf }) => {
  const folder = await folderOf(numbered(1))
  const { page, choose, upload } = await organiserAtWork(visit, site)
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('Not in a private window', 'SecurityError')
    }
  })
  await page.reload()
  await choose(folder.paths('1.jpg'))
  await upload()
  await seesToast(page, 'Upload completed!', '1 photo uploaded successfully, 0 failed')
})

test('the page says how far it is while it uploads', async ({ visit, site, folderOf }) => {
  const folder = await folderOf(numbered(16))
  const { page, choose, upload } = await organiserAtWork(visit, site)
  let release: (() => void) | undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  let order = 0
  await page.route(UPLOADS, async (route) => {
    if (++order === 2) await held
    await route.continue()
  })
  await choose(folder.paths(...Object.keys(numbered(16))))
  await upload()
  await sees(page, '15 of 16 photos')
  await sees(page, '90% of the photos uploaded')
  await sees(page, 'Keep this page open until every photo is sent.')
  release?.()
  await sees(page, '16 of 16 photos')
  await sees(page, '100% of the photos uploaded')
})
