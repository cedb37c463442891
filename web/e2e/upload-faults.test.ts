import { rename, utimes } from 'node:fs/promises'
import type { Route } from 'playwright-core'
import { expect } from 'vitest'
import { BATCH_RETRY_DELAY_MS } from '../../src/contract/limits.ts'
import { faultAt, type OrganiserAtWork, organiserAtWork, seesSuccessPage, UPLOADS } from './organiser.ts'
import { makePhotoFolder, numbered, type PhotoFolder, photoFolder } from './photo-folder.ts'
import type { Site } from './site.ts'
import { siteTest, type Visit } from './site-test.ts'
import { toastsOf } from './toasts.ts'
import { holdBack, sees, seesToast } from './visitor.ts'

const TWO = ['1.jpg', '2.jpg']
const THREE_BATCHES = Object.keys(numbered(31))

const test = siteTest({ work: false }).extend('folder', { scope: 'file' }, photoFolder(numbered(31)))

/** An organiser who uploads these photos. */
async function uploading(
  visit: Visit,
  site: Site,
  folder: PhotoFolder,
  names: string[],
  prepare?: (at: OrganiserAtWork) => Promise<void>,
) {
  const organiser = await organiserAtWork(visit, site)
  await prepare?.(organiser)
  await organiser.choose(folder.paths(...names))
  await organiser.upload()
  return organiser
}

/** Lets the two seconds pass after which failed batches are sent again. */
async function retries({ page, clock }: OrganiserAtWork): Promise<void> {
  await seesToast(page, 'Retrying failed batches')
  await clock.pass(BATCH_RETRY_DELAY_MS)
}

const answer500 = (route: Route) =>
  route.fulfill({ status: 500, json: { error: 'Something went wrong on our side. Please try again.' } })

const batchFailed = (batch: number, message: string): [string, string] => [
  `Batch ${batch} failed`,
  `Error: ${message}. Will retry after other batches complete.`,
]

test('a batch that met one server error succeeds in the retry', async ({ visit, site, folder }) => {
  const organiser = await uploading(visit, site, folder, THREE_BATCHES, async ({ page }) => {
    await page.route(
      UPLOADS,
      faultAt((order) => order === 2, answer500),
    )
  })
  const { page, progress } = organiser
  await retries(organiser)
  await seesToast(
    page,
    'Upload completed!',
    '31 photos uploaded successfully (including 1 retried batches), 0 failed',
  )
  expect(await toastsOf(page)).toEqual([
    batchFailed(2, 'Something went wrong on our side. Please try again'),
    ['Retrying failed batches', ''],
    ['Batch 2 retry successful!', '15 photos uploaded on retry'],
    ['Upload completed!', '31 photos uploaded successfully (including 1 retried batches), 0 failed'],
  ])
  expect(await progress()).toMatchObject({ totalPhotos: 31, photosUploadedToS3: 31 })
})

test('a server that always fails ends the upload with an error, and another try sends everything', async ({
  visit,
  site,
  folder,
}) => {
  const organiser = await uploading(visit, site, folder, TWO, async ({ page }) => {
    await page.route(UPLOADS, answer500)
  })
  const { page, upload, progress } = organiser
  await retries(organiser)
  await seesToast(page, 'Upload failed', 'No photos were uploaded successfully. Please try again.')
  await sees(page, 'Please try again or check your internet connection')
  expect(await toastsOf(page)).toEqual([
    batchFailed(1, 'Something went wrong on our side. Please try again'),
    ['Retrying failed batches', ''],
    ['Batch 1 retry failed', '2 photos still failed after retry'],
    ['Upload failed', 'No photos were uploaded successfully. Please try again.'],
  ])
  await page.unroute(UPLOADS)
  await upload()
  await seesToast(page, 'Upload completed!', '2 photos uploaded successfully, 0 failed')
  expect(await progress()).toMatchObject({ photosUploadedToS3: 2 })
})

test('photos of a failed batch are named at the end, and the round is still closed', async ({
  visit,
  site,
  folder,
}) => {
  const organiser = await uploading(visit, site, folder, Object.keys(numbered(17)), async ({ page }) => {
    await page.route(
      UPLOADS,
      faultAt((order) => order > 1, answer500),
    )
  })
  const { page, progress } = organiser
  await retries(organiser)
  await seesToast(page, 'Upload completed!', '15 photos uploaded successfully, 2 failed')
  await seesSuccessPage(page)
  await sees(page, '2 photos not uploaded')
  expect(await progress()).toMatchObject({ totalPhotos: 15, isUploadingToS3: false })

  await page.getByRole('link', { name: 'Upload more photos to this album' }).click()
  await sees(page, 'The last upload stopped at 15 of 17 photos')
})

test("the page quotes a proxy that refuses a request's size", async ({ visit, site, folder }) => {
  const organiser = await uploading(visit, site, folder, TWO, async ({ page }) => {
    await page.route(UPLOADS, (route) => route.fulfill({ status: 413, body: 'Payload Too Large' }))
  })
  const { page } = organiser
  await retries(organiser)
  await seesToast(page, 'Upload failed', 'No photos were uploaded successfully. Please try again.')
  expect(await toastsOf(page)).toContainEqual(batchFailed(1, '413: Payload Too Large'))
})

test('a broken connection makes the batch fail', async ({ visit, site, folder }) => {
  const organiser = await uploading(visit, site, folder, TWO, async ({ page }) => {
    await page.route(
      UPLOADS,
      faultAt(
        (order) => order === 1,
        (route) => route.abort(),
      ),
    )
  })
  const { page } = organiser
  await retries(organiser)
  await seesToast(page, 'Upload completed!')
  expect(await toastsOf(page)).toContainEqual(batchFailed(1, 'The connection was lost'))
  expect(await toastsOf(page)).toContainEqual(['Batch 1 retry successful!', '2 photos uploaded on retry'])
})

test('a server that never answers is given two minutes', async ({ visit, site, folder }) => {
  const organiser = await organiserAtWork(visit, site)
  const { page, clock, choose, upload } = organiser
  const { held } = await holdBack(page, UPLOADS)
  await choose(folder.paths(...TWO))
  const failures = await clock.watch('li[data-state=open]', /Batch 1 failed/)
  await upload()
  await held
  await page.unroute(UPLOADS)
  await clock.pass(120_000)
  await retries(organiser)
  await seesToast(page, 'Upload completed!')
  expect(await toastsOf(page)).toContainEqual(batchFailed(1, 'No answer within 120 seconds'))
  const [[batch], [failure]] = [await clock.calls('/upload-photos'), await failures()]
  const patience = failure!.from - batch!.sentAt
  expect(patience).toBeGreaterThanOrEqual(120_000)
  expect(patience).toBeLessThan(121_000)
})

test('when the service asks to wait, the upload waits, and the page says so', async ({
  visit,
  site,
  folder,
}) => {
  const { page } = await uploading(visit, site, folder, TWO, async ({ page }) => {
    await page.route(
      UPLOADS,
      faultAt(
        (order) => order === 1,
        (route) =>
          route.fulfill({ status: 429, headers: { 'retry-after': '2' }, json: { error: 'Slow down' } }),
      ),
    )
  })
  await page
    .getByText(/^The service asks you to wait\. The upload goes on by itself in \d seconds?\.$/)
    .waitFor()
  await seesToast(page, 'Upload completed!', '2 photos uploaded successfully, 0 failed')
  expect(await toastsOf(page)).toHaveLength(1)
})

test('an upload that goes offline waits, and continues when the network is back', async ({
  visit,
  site,
  folder,
}) => {
  const { page, context, progress } = await uploading(visit, site, folder, THREE_BATCHES)
  await sees(page, '15 of 31 photos')
  await context.setOffline(true)
  await sees(page, 'You are offline. The upload goes on by itself when the connection is back.')
  expect(await toastsOf(page)).toEqual([])
  await context.setOffline(false)
  await seesToast(page, 'Upload completed!', '31 photos uploaded successfully, 0 failed')
  expect(await toastsOf(page)).toHaveLength(1)
  expect(await progress()).toMatchObject({ totalPhotos: 31, photosUploadedToS3: 31, isUploadingToS3: false })
})

test('photos that were deleted or changed after they were chosen fail alone, and can be chosen again', async ({
  visit,
  site,
}) => {
  const files = Object.keys(numbered(17))
  const gone = await makePhotoFolder(numbered(17))
  const [deleted, changed] = gone.paths('2.jpg', '3.jpg') as [string, string]
  const { page, choose, upload, progress } = await organiserAtWork(visit, site)
  await choose(gone.paths(...files))
  await sees(page, '17 photos selected')
  await page.waitForFunction(() => document.querySelectorAll('main ul img').length === 15)
  await rename(deleted, `${deleted}.away`)
  await utimes(changed, new Date(), new Date(Date.now() + 60_000))
  await upload()
  await seesToast(page, 'Upload completed!', '15 photos uploaded successfully, 2 failed')
  expect(await toastsOf(page)).toHaveLength(1)
  await sees(page, '17 of 17 photos')
  expect(await page.getByRole('progressbar', { name: 'Upload' }).getAttribute('aria-valuenow')).toBe('100')
  await seesSuccessPage(page)
  await sees(page, '2 photos not uploaded')
  const reason = 'This file has been moved or changed since it was chosen. Choose it again.'
  const failed = page.getByRole('list', { name: 'Photos not uploaded' }).getByRole('listitem')
  expect(await failed.allInnerTexts()).toEqual([`2.jpg: ${reason}`, `3.jpg: ${reason}`])
  expect(await progress()).toMatchObject({ totalPhotos: 15, isUploadingToS3: false })

  await rename(`${deleted}.away`, deleted)
  await page.getByRole('link', { name: 'Upload more photos to this album' }).click()
  await sees(page, 'The last upload stopped at 15 of 17 photos')
  await choose(gone.paths(...files))
  await sees(page, '15 of 17 photos are already uploaded; sending the other 2')
  await upload()
  await seesToast(page, 'Upload completed!', '2 photos uploaded successfully, 0 failed')
  await gone.remove()
})

test('an upload with the owner key continues when the session ends', async ({ visit, site, folder }) => {
  const { page, context } = await uploading(visit, site, folder, THREE_BATCHES)
  await sees(page, '15 of 31 photos')
  await context.clearCookies()
  await seesToast(page, 'Upload completed!', '31 photos uploaded successfully, 0 failed')
})

test('a failed call to close the round is repeated in the background', async ({ visit, site, folder }) => {
  let calls = 0
  const { page, progress } = await uploading(visit, site, folder, TWO, async ({ page }) => {
    await page.route(
      '**/trpc/albums.finishUpload**',
      faultAt(
        () => ++calls === 1,
        (route) => route.fulfill({ status: 500, body: 'no' }),
      ),
    )
  })
  await seesToast(page, 'Upload completed!', '2 photos uploaded successfully, 0 failed')
  await seesSuccessPage(page)
  await expect.poll(() => calls).toBe(2)
  expect(await progress()).toMatchObject({ totalPhotos: 2, isUploadingToS3: false })
})
