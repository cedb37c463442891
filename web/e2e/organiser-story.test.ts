import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { UPLOAD_REDIRECT_DELAY_MS } from '../../src/contract/limits.ts'
import { expectNoAxeFault } from './axe.ts'
import { continueButton } from './get-started.ts'
import { atSecondUpload, organiserAtWork, seesSuccessPage } from './organiser.ts'
import { numbered, photoFolder } from './photo-folder.ts'
import { refuse } from './refusals.ts'
import type { Site } from './site.ts'
import { siteTest } from './site-test.ts'
import { focusIsOn, holdBack, sees, seesToast } from './visitor.ts'

const PHOTOS = Object.keys(numbered(17))

const test = siteTest({ work: false }).extend(
  'folder',
  { scope: 'file' },
  photoFolder({ ...numbered(17), 'film.mp4': Buffer.from('film') }),
)

const CREATE = '**/trpc/albums.create**'
const NOT_SET_UP = ['Error', 'Failed to set up album. Please try again.'] as const
const PROGRESS = 'div:has(> section[aria-label="Upload progress"])'

declare global {
  interface Window {
    /** When the address changed to /upload-success, in ms on the page's clock. */
    redirectedAt?: number
  }
}

const lettersGoTo = (page: Page, address: string) =>
  page.getByText(`The link and the password go to ${address}.`).waitFor()
const mainText = (page: Page) => page.getByRole('main').innerText()

const albumsNamed = ({ database: { db } }: Site, name: string) =>
  db.selectFrom('albums').select(['slug', 'email']).where('display_name', '=', name).execute()

test('an organiser reads what is wrong with the form, creates an album, and corrects the address of its letters', async ({
  page,
  site,
}) => {
  await page.goto('/bulk-upload')
  await page.waitForURL('**/get-started')
  await sees(page, 'Create an album before you upload photos')
  const email = page.getByLabel('Email Address')
  const button = continueButton(page)
  await email.fill('ana@example')
  expect(await button.isDisabled()).toBe(true)

  // What the service refuses stands under its field until it is changed.
  await page.getByLabel('Album Name').fill('Ana & Béla, 夏 2025')
  await button.click()
  await seesToast(page, ...NOT_SET_UP)
  await focusIsOn(page, 'input[type=email]')
  const descriptions = await email.evaluate((field) =>
    (field.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)!.textContent),
  )
  expect(descriptions[0]).toBe('Please enter a valid email address: what stands behind the @ is no domain')
  expect(await email.getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByLabel('Album Name').getAttribute('aria-invalid')).toBeNull()
  await expectNoAxeFault(page)
  await email.fill('ana@exmaple.com')
  await page.getByText(/^Please enter a valid email address/).waitFor({ state: 'detached' })
  expect(await email.getAttribute('aria-invalid')).toBeNull()

  // A refusal that is about no field stands above the button.
  const message = 'Too many new albums from this network. Please try again in 5 hours.'
  await refuse(page, CREATE, { code: 'TOO_MANY_REQUESTS', message })
  await button.click()
  await page.getByRole('alert').filter({ hasText: message }).waitFor()
  await page.unroute(CREATE)

  const { letGo } = await holdBack(page, CREATE)
  await button.click()
  const pending = page.getByRole('button', { name: 'Getting Started...', exact: true })
  await pending.waitFor()
  expect(await pending.isDisabled()).toBe(true)
  letGo()
  await seesToast(page, 'Success', 'Album setup completed successfully!')
  await page.waitForURL('**/bulk-upload')
  expect(await page.evaluate(() => ({ ...localStorage }))).toMatchObject({
    userEmail: 'ana@exmaple.com',
    eventName: 'Ana & Béla, 夏 2025',
    userAlbumId: expect.stringMatching(/^[\w-]{32}$/),
    userAlbumSlug: expect.stringMatching(/^ana-bela/),
  })
  await lettersGoTo(page, 'ana@exmaple.com')

  // The mistyped address can be corrected on the page of the upload.
  await page.getByRole('button', { name: 'Change the address' }).click()
  await page.getByLabel('New email address').fill('bela@example.com')
  await expectNoAxeFault(page)
  await page.getByRole('button', { name: 'Save the address' }).click()
  await lettersGoTo(page, 'bela@example.com')
  await focusIsOn(page, 'main')

  expect(await albumsNamed(site, 'Ana & Béla, 夏 2025')).toEqual([
    expect.objectContaining({ email: 'bela@example.com' }),
  ])
})

test('with the keyboard an organiser uploads all photos but one, and the next page says, once, what happens then', async ({
  visit,
  site,
  folder,
}) => {
  const { page, clock, progress } = await organiserAtWork(visit, site)
  await page.addInitScript(noteRedirect)
  await page.reload()
  await focusOn(page, 'Drop photos or folders here')
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')])
  await chooser.setFiles(folder.paths('film.mp4', ...PHOTOS))
  await sees(page, '17 photos selected')
  await seesToast(page, '1 file blocked')
  await page.waitForFunction(() => document.querySelectorAll('main li img').length === 15)
  await sees(page, 'and 2 more photos')
  await expectNoAxeFault(page)
  await focusOn(page, 'Remove 2.jpg')
  await page.keyboard.press('Enter')
  await focusIsOn(page, '[aria-label="Remove 3.jpg"]')
  await page.getByRole('img', { name: '16.jpg', exact: true }).waitFor()

  const second = Promise.withResolvers<void>()
  await atSecondUpload(page, async (route) => {
    await second.promise
    await route.continue()
  })
  // Without its code the next page does not come, however long the test looks at this one.
  const nextPage = await holdBack(page, '**/assets/upload-success*')
  await focusOn(page, 'Upload 16 Photos')
  await page.keyboard.press('Enter')
  await focusIsOn(page, PROGRESS)
  await sees(page, '15 of 16 photos')
  await page.getByRole('button', { name: 'Uploading...' }).waitFor()
  expect(await page.getByRole('button', { name: 'Clear All' }).count()).toBe(0)
  await expectNoAxeFault(page)
  await page.getByRole('link', { name: 'Albums' }).first().click()
  await page.getByRole('dialog', { name: 'Leave and stop the upload?' }).waitFor()
  second.resolve()

  await seesToast(page, 'Upload completed!', '16 photos uploaded successfully, 0 failed')
  await page.getByRole('main').getByRole('status').filter({ hasText: '16 photos uploaded' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await expectNoAxeFault(page)
  await expect.poll(async () => (await progress()).isUploadingToS3).toBe(false)
  nextPage.letGo()
  await seesSuccessPage(page)
  await page.getByRole('heading', { name: 'Upload Started Successfully!' }).waitFor()
  const uploads = await clock.calls('/upload-photos')
  expect(uploads).toHaveLength(2)
  const redirectedAt = await page.evaluate(() => window.redirectedAt!)
  expect(redirectedAt - uploads[1]!.answeredAt!).toBeGreaterThanOrEqual(UPLOAD_REDIRECT_DELAY_MS)
  expect(await progress()).toMatchObject({ totalPhotos: 16, photosUploadedToS3: 16 })

  expect(await mainText(page)).toContain(
    '16 photos are being processed for Garden Party. We will notify you at owner@example.com.',
  )
  await page.getByRole('heading', { name: 'What happens next' }).waitFor()
  await page.getByRole('list', { name: 'Files not uploaded' }).getByText('film.mp4').waitFor()
  await expectNoAxeFault(page)
  await page.reload()
  await page.waitForURL((url) => url.pathname === '/')
})

/** Runs in the page. */
function noteRedirect(): void {
  const { replaceState } = history
  history.replaceState = (...args) => {
    replaceState.apply(history, args)
    if (location.pathname === '/upload-success') window.redirectedAt ??= Date.now()
  }
}

/** Presses Tab until this button has the focus. */
async function focusOn(page: Page, name: string): Promise<void> {
  const target = page.getByRole('button', { name })
  for (let presses = 0; presses < 60; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach "${name}"`)
}

test('on a phone a toast leaves the button free, the screen stays on while photos are sent, and contrast themes show how far they are', async ({
  visit,
  site,
  folder,
}) => {
  const organiser = await organiserAtWork(visit, site, { device: 'phone' })
  const { page } = organiser
  await page.emulateMedia({ forcedColors: 'active' })
  await page.evaluate(() => {
    const set = async (screen: string) => {
      document.body.dataset.screen = screen
    }
    const request = async () => {
      await set('on')
      return { release: () => set('free') }
    }
    Object.defineProperty(navigator, 'wakeLock', { value: { request } })
  })
  await organiser.choose(folder.paths(...PHOTOS.slice(0, 16), 'film.mp4'))
  await seesToast(page, '1 file blocked')
  const toast = await page.locator('li[data-state=open]').boundingBox()
  expect(toast!.y + toast!.height).toBeLessThan(200)

  const second = Promise.withResolvers<void>()
  await atSecondUpload(page, async (route) => {
    await second.promise
    await route.continue()
  })
  await organiser.upload()
  await sees(page, '15 of 16 photos')
  const screen = () => page.evaluate(() => document.body.dataset.screen)
  expect(await screen()).toBe('on')
  const [bar, done] = await page
    .getByRole('progressbar')
    .first()
    .evaluate((bar) => [bar, bar.firstElementChild!].map((part) => getComputedStyle(part).backgroundColor))
  expect(done).not.toBe(bar)
  second.resolve()
  await seesSuccessPage(page)
  expect(await screen()).toBe('free')
})

test('photos that were in the album before are not called uploaded, and no letter is promised', async ({
  visit,
  site,
  folder,
}) => {
  const organiser = await organiserAtWork(visit, site)
  const { page, album } = organiser
  // The key has come here without the album's name.
  await page.evaluate(() => localStorage.removeItem('userAlbumSlug'))
  await organiser.choose(folder.paths('1.jpg', '2.jpg'))
  await organiser.upload()
  await seesSuccessPage(page)
  await sees(page, `${site.url}/album/${album.albumName}`)
  await page.goto('/bulk-upload')
  await organiser.choose(folder.paths('1.jpg', '2.jpg'))
  await sees(page, 'All 2 photos are already in the album')
  await organiser.upload()
  await seesToast(page, 'Already in the album', '2 photos are already in the album')
  await seesSuccessPage(page)
  await page.getByRole('heading', { name: 'Already in the Album' }).waitFor()
  expect(await mainText(page)).toContain('2 photos are already in Garden Party. Nothing new was uploaded.')
  expect(await mainText(page)).not.toMatch(/notify|Email with album link/)
  await sees(page, `${site.url}/album/${album.albumName}`)

  // One is deleted here.
  await page.evaluate((slug) => localStorage.setItem('userAlbumSlug', slug), album.albumName)
  await site.database.db
    .updateTable('photos')
    .set({ state: 'indexed', engine: 'embedded', face_count: 0 })
    .where('filename', 'in', ['1.jpg', '2.jpg'])
    .execute()
  await page.goto(`/manage/${album.albumName}/photos`)
  await page.getByRole('button', { name: 'Select' }).click()
  expect(await page.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
  await page.getByRole('checkbox', { name: '2.jpg' }).check({ force: true })
  await page.getByRole('button', { name: 'Delete' }).click()
  await sees(page, 'Delete 1 photo for good?')
  await expectNoAxeFault(page)
  await page.getByRole('button', { name: 'Delete for good' }).click()
  await sees(page, '1 photo deleted for good')
  await page.goto('/bulk-upload')
  await organiser.choose(folder.paths('1.jpg', '2.jpg'))
  await organiser.upload()
  await seesSuccessPage(page)
  await expect.poll(() => mainText(page)).toContain('1 photo is being processed for Garden Party.')
})
