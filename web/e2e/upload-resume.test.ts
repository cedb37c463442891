import { expect } from 'vitest'
import { organiserAtWork, seesSuccessPage, UPLOADS } from './organiser.ts'
import { makePhotoFolder, numbered, type PhotoFolder, photoFolder } from './photo-folder.ts'
import type { Site } from './site.ts'
import { siteTest, type Visit } from './site-test.ts'
import { toastsOf } from './toasts.ts'
import { holdBack, sees, seesToast } from './visitor.ts'

const PARTY = Object.fromEntries(Object.keys(numbered(20)).map((name) => [`Party/${name}`, null]))

const test = siteTest({ work: false }).extend('folder', { scope: 'file' }, photoFolder(PARTY))

/** Uploads the folder up to its second batch, which never gets through. */
async function stoppedHalfway(visit: Visit, site: Site, folder: PhotoFolder) {
  const organiser = await organiserAtWork(visit, site)
  const { page } = organiser
  let batches = 0
  await page.route(UPLOADS, (route) => {
    if (++batches === 1) return route.continue()
  })
  await organiser.chooseFolder(folder.paths('Party')[0]!)
  await organiser.upload()
  await sees(page, '15 of 20 photos')
  return organiser
}

test('after a reload the same folder sends only what is missing', async ({ visit, site, folder }) => {
  const { page, chooseFolder, upload, album, progress } = await stoppedHalfway(visit, site, folder)
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await sees(page, 'The last upload stopped at 15 of 20 photos')
  await sees(page, 'Choose the same photos or folder again: only what is missing will be sent.')

  await page.unroute(UPLOADS)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/upload-photos'))
      sent.push(request.postDataBuffer()?.toString('latin1') ?? '')
  })
  await chooseFolder(folder.paths('Party')[0]!)
  await sees(page, '15 of 20 photos are already uploaded; sending the other 5')
  await page.getByRole('button', { name: 'Upload 5 Photos' }).waitFor()
  await upload()
  await seesToast(page, 'Upload completed!', '5 photos uploaded successfully, 0 failed')
  await sees(page, '20 photos uploaded')
  expect(sent).toHaveLength(1)
  expect(await progress()).toMatchObject({ totalPhotos: 20, photosUploadedToS3: 20, isUploadingToS3: false })
  await seesSuccessPage(page)
  await page.getByRole('heading', { name: 'Upload Started Successfully!' }).waitFor()
  const main = await page.getByRole('main').innerText()
  expect(main).toContain('5 photos are being processed')
  expect(main).toContain('15 more were already in the album.')

  await page.goto('/bulk-upload')
  await chooseFolder(folder.paths('Party')[0]!)
  await sees(page, 'All 20 photos are already in the album')
  expect(await page.getByText('The last upload stopped').count()).toBe(0)
  await page.getByRole('button', { name: 'Continue' }).click()
  await seesToast(page, 'Already in the album', '20 photos are already in the album')
  expect(sent).toHaveLength(1)
  const { body } = await album.owner.get(`/api/albums/${album.ownerKey}/coverage`)
  expect(body.photosStored).toBe(20)
})

test('when no photo can be read, all are named and no longer selected', async ({ visit, site, folder }) => {
  const names = ['1.jpg', '2.jpg']
  const gone = await makePhotoFolder(numbered(2))
  const { page, choose, upload } = await organiserAtWork(visit, site)
  await choose(gone.paths(...names))
  await sees(page, '2 photos selected')
  await gone.remove()
  await upload()
  await seesToast(page, 'Upload failed', 'No photos were uploaded successfully. Please try again.')
  await sees(page, '2 photos not uploaded')
  expect(await toastsOf(page)).toHaveLength(1)
  await page.getByRole('button', { name: 'Upload Photos' }).waitFor()
  await choose(folder.paths('Party/1.jpg', 'Party/2.jpg'))
  await upload()
  await seesToast(page, 'Upload completed!', '2 photos uploaded successfully, 0 failed')
})

test('what the browser keeps for resuming does not contain the owner key', async ({
  visit,
  site,
  folder,
}) => {
  const { page, album } = await stoppedHalfway(visit, site, folder)
  const kept = await page.evaluate(async () => {
    const open = indexedDB.open('inframe-uploads')
    const database = await new Promise<IDBDatabase>((resolve) => {
      open.onsuccess = () => resolve(open.result)
    })
    const keys = database.transaction('photos').objectStore('photos').getAllKeys()
    return new Promise<string>((resolve) => {
      keys.onsuccess = () => resolve(JSON.stringify(keys.result))
    })
  })
  // Which photos are in the first batch depends on the file system.
  expect(kept.match(/Party\/\d+\.jpg/g)).toHaveLength(15)
  expect(kept).not.toContain(album.ownerKey)
  expect(kept).not.toContain(album.ownerKey.slice(0, 8))
})

test('what was uploaded to one album does not count for another album in the same browser', async ({
  visit,
  site,
  folder,
}) => {
  const { page, becomeOrganiser, chooseFolder } = await stoppedHalfway(visit, site, folder)
  const other = await site.createAlbum('Another Party')
  page.on('dialog', (dialog) => void dialog.accept())
  await becomeOrganiser({
    userEmail: 'owner@example.com',
    eventName: other.displayName,
    userAlbumId: other.ownerKey,
  })
  await page.goto('/bulk-upload')
  await chooseFolder(folder.paths('Party')[0]!)
  await page.getByRole('button', { name: 'Upload 20 Photos' }).waitFor()
  expect(await page.getByText('already uploaded').count()).toBe(0)
})

test('leaving for another page asks first, with the safe answer in focus', async ({
  visit,
  site,
  folder,
}) => {
  const { page } = await stoppedHalfway(visit, site, folder)
  const dialog = page.getByRole('dialog', { name: 'Leave and stop the upload?' })
  const albums = page.getByRole('link', { name: 'Albums' }).first()
  await albums.focus()
  await page.keyboard.press('Enter')
  await dialog.waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Stay and go on')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Albums')
  expect(new URL(page.url()).pathname).toBe('/bulk-upload')

  await albums.click()
  await dialog.getByRole('button', { name: 'Stay and go on' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/bulk-upload')

  await albums.click()
  await dialog.getByRole('button', { name: 'Leave the page' }).click()
  await page.waitForURL('**/albums')
  await page.unroute(UPLOADS)
  await page.goto('/bulk-upload')
  await sees(page, 'The last upload stopped at 15 of 20 photos')
})

test('the question whether to leave closes when the upload ends', async ({ visit, site, folder }) => {
  const organiser = await organiserAtWork(visit, site)
  const { page, chooseFolder, upload } = organiser
  const { letGo } = await holdBack(page, UPLOADS)
  await chooseFolder(folder.paths('Party')[0]!)
  await upload()
  await page.getByRole('link', { name: 'Albums' }).first().click()
  await page.getByRole('dialog').waitFor()
  letGo()
  await seesSuccessPage(page)
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('closing the tab while photos are on their way makes the browser ask', async ({
  visit,
  site,
  folder,
}) => {
  const { page } = await stoppedHalfway(visit, site, folder)
  const asked = new Promise<string>((resolve) => {
    page.once('dialog', (dialog) => {
      resolve(dialog.type())
      void dialog.dismiss()
    })
  })
  await page.close({ runBeforeUnload: true })
  expect(await asked).toBe('beforeunload')
  expect(page.isClosed()).toBe(false)
  expect(await toastsOf(page)).toEqual([])
})
