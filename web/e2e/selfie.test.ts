import type { Page, Route } from 'playwright-core'
import { describe, expect, onTestFinished } from 'vitest'
import { manySearches } from '../../src/admission/refusals.ts'
import { readSample } from '../../src/testing/client.ts'
import { selfieFrom } from '../../src/testing/selfie.ts'
import type { Organiser } from '../lib/saved-values.ts'
import { HIDDEN, headOf } from './head.ts'
import { startSite } from './site.ts'
import { siteTest } from './site-test.ts'
import { holdBack, newVisitor, sees, seesToast, type Visitor } from './visitor.ts'

const test = siteTest()
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Garden Party')
    await site.fill(album, [1])
    return album
  })
  .extend('organiser', { scope: 'file' }, ({ album }) => ({
    userEmail: 'o@example.com',
    eventName: 'Garden Party',
    userAlbumId: album.ownerKey,
  }))
  // Its face is that of the indexed photo.
  .extend(
    'selfie',
    { scope: 'file' },
    async ({ site, album }) => album && selfieFrom(site.database.db, 'sample1.jpg', await readSample(1)),
  )
test.beforeAll(({ selfie }) => void selfie)

async function open(page: Page, visitor: Visitor, organiser: Organiser): Promise<void> {
  await visitor.becomeOrganiser(organiser)
  await page.goto('/selfie')
  await sees(page, 'Find your photos at Garden Party')
}
const choose = (page: Page, buffer: Buffer, name = 'me.jpg', mimeType = 'image/jpeg') =>
  page.locator('input[type=file]').first().setInputFiles({ name, mimeType, buffer })
const askForAMoment = (route: Route) =>
  route.fulfill({ status: 503, headers: { 'retry-after': '30' }, json: { message: manySearches().message } })
const submitButton = (page: Page) => page.getByRole('button', { name: 'Find my photos' })

test('when the service asks for a moment, the page says how long, and submits again by itself', async ({
  page,
  visitor,
  clock,
  organiser,
  selfie,
}) => {
  await open(page, visitor, organiser)
  let isBusy = true
  await page.route('**/api/submit-photo', (route) => (isBusy ? askForAMoment(route) : route.continue()))
  await choose(page, selfie)
  await submitButton(page).click()
  await page
    .getByRole('status')
    .getByText(
      /^Many guests are searching for their photos at the moment\. This page tries again by itself in \d+ seconds\.$/,
    )
    .waitFor()
  const secondsLeft = async () => Number.parseInt(await page.getByRole('timer').innerText(), 10)
  expect(await secondsLeft()).toBeLessThanOrEqual(30)
  await clock.pass(15_000)
  expect(await secondsLeft()).toBeLessThanOrEqual(15)
  expect(await secondsLeft()).toBeGreaterThan(0)
  isBusy = false
  await clock.pass(15_000)
  await page.waitForURL('**/selfie/results/*')
})

test('a visitor who cancels the wait keeps the selfie, and may submit it again', async ({
  page,
  visitor,
  clock,
  organiser,
  selfie,
}) => {
  await open(page, visitor, organiser)
  await page.route('**/api/submit-photo', askForAMoment)
  await choose(page, selfie)
  await submitButton(page).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText(/This page tries again by itself/).waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('Find my photos'))
  await clock.pass(31_000)
  expect(await clock.calls('/api/submit-photo')).toHaveLength(1)
  expect(await page.getByText('Upload failed').count()).toBe(0)
  await page.unroute('**/api/submit-photo')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/selfie/results/*')
})

test('a visitor who leaves while the page waits hears no more of it', async ({
  page,
  visitor,
  clock,
  organiser,
  selfie,
}) => {
  await open(page, visitor, organiser)
  await page.route('**/api/submit-photo', askForAMoment)
  await choose(page, selfie)
  await submitButton(page).click()
  await page.getByText(/This page tries again by itself/).waitFor()
  await page.getByRole('link', { name: 'photo albums' }).click()
  // The address changes before the new page has loaded. Until then the visitor is still on the old one.
  await page.getByRole('heading', { name: 'Browse Photo Albums' }).waitFor()
  await clock.pass(31_000)
  expect(await clock.calls('/api/submit-photo')).toHaveLength(1)
  expect(await page.getByText('Upload failed').count()).toBe(0)
})

describe('without a saved album', () => {
  test.for(['userEmail', 'eventName', 'userAlbumId'] as const)(
    '/selfie leads to /get-started (no %s)',
    async (name, { page, visitor, organiser }) => {
      await visitor.becomeOrganiser(organiser)
      await page.evaluate((key) => localStorage.removeItem(key), name)
      await page.goto('/selfie')
      await page.waitForURL('**/get-started')
      await sees(page, 'Set up your album.')
    },
  )
})

test('/selfie has its own title and is hidden from search engines, and both end when the visitor leaves', async ({
  page,
  visitor,
  organiser,
}) => {
  await open(page, visitor, organiser)
  await page.getByText('facial recognition matches it').waitFor()
  await sees(page, 'Upload a selfie (required)')
  await sees(page, 'PNG, JPG, GIF, WEBP up to 10MB')
  expect(await headOf(page)).toEqual({ title: 'Upload a selfie · Inframe', robots: HIDDEN })
  expect((await page.request.get('/selfie')).headers()['x-robots-tag']).toBe(HIDDEN)

  await page.getByRole('link', { name: 'photo albums' }).click()
  await page.waitForURL('**/albums')
  await expect.poll(() => headOf(page)).toEqual({ title: 'Browse Photo Albums · Inframe', robots: null })
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect.poll(() => headOf(page).then(({ title }) => title)).not.toMatch(/Upload|Albums/)
})

test('/selfie links to the external photo library if there is one', async ({ browser, organiser }) => {
  const env = { PHOTO_LIBRARY_URL: 'https://photos.example.com/public' }
  const other = await startSite({ work: false, env })
  onTestFinished(() => other.close())
  const guest = await newVisitor(browser, other.url)
  onTestFinished(() => guest.leave())
  await guest.becomeOrganiser(organiser)
  for (const path of ['/selfie', '/selfie/no-results']) {
    await guest.page.goto(path)
    const link = guest.page.getByRole('link', { name: 'public photo library' })
    expect(await link.getAttribute('href')).toBe('https://photos.example.com/public')
    expect(await link.getAttribute('target')).toBe('_blank')
  }
})

test('a selfie is required', async ({ page, visitor, organiser, selfie }) => {
  await open(page, visitor, organiser)
  await submitButton(page).click()
  await page.getByRole('alert').getByText('Please select a photo file').waitFor()
  const field = page.getByRole('group', { name: 'Upload a selfie (required)' })
  expect(await field.getAttribute('aria-describedby')).toBeTruthy()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Drop your selfie here')
  await choose(page, selfie)
  await sees(page, 'me.jpg')
  expect(await page.getByText('Please select a photo file').count()).toBe(0)
})

test.for([
  ['tiny.png', 600, '600 Bytes'],
  ['middle.webp', 1536, '1.5 KB'],
  ['large.gif', 3 * 1024 * 1024, '3.0 MB'],
] as const)(
  'shows %s of %i bytes as %s, and takes it away',
  async ([name, size, shown], { page, visitor, organiser }) => {
    await open(page, visitor, organiser)
    await choose(page, Buffer.alloc(size, 1), name, `image/${name.split('.')[1]}`)
    await sees(page, name)
    await sees(page, shown)
    await page.getByRole('button', { name: 'Remove' }).click()
    await sees(page, 'Drop your selfie here')
    expect(await page.getByText(name).count()).toBe(0)
  },
)

test('/selfie shows a preview', async ({ page, visitor, organiser, selfie }) => {
  await open(page, visitor, organiser)
  await choose(page, selfie)
  const preview = page.getByRole('img', { name: 'Your selfie' })
  await expect
    .poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
})

test('/selfie says what is wrong with a file that cannot be a selfie', async ({
  page,
  visitor,
  organiser,
}) => {
  await open(page, visitor, organiser)
  await choose(page, Buffer.from('text'), 'notes.txt', 'text/plain')
  await seesToast(page, 'Invalid file type', 'Please upload an image file (JPG, PNG, etc.)')
  await choose(page, Buffer.alloc(10 * 1024 * 1024 + 1), 'huge.jpg')
  await seesToast(page, 'File too large', 'Please upload an image smaller than 10MB')
  await sees(page, 'Drop your selfie here')
})

test("/selfie says how an iPhone sends JPEG where a file in the iPhone's own format is refused", async ({
  page,
  visitor,
  organiser,
}) => {
  await open(page, visitor, organiser)
  await choose(page, Buffer.from('heic'), 'IMG_0001.HEIC', 'image/heic')
  await seesToast(page, 'Invalid file type', 'Please upload an image file (JPG, PNG, etc.)')
  const help = page.getByRole('alert').getByText(/Settings › Camera › Formats › Most Compatible/)
  await help.waitFor()
  await choose(page, Buffer.from('text'), 'notes.txt', 'text/plain')
  await help.waitFor({ state: 'detached' })
})

test('/selfie leads to the photos that it finds, with the keyboard alone', async ({
  page,
  visitor,
  album,
  organiser,
  selfie,
}) => {
  await open(page, visitor, organiser)
  const { held, letGo } = await holdBack(page, '**/api/submit-photo')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: /Upload a selfie/ }).press('Enter'),
  ])
  expect(chooser.isMultiple()).toBe(false)
  await chooser.setFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: selfie })
  await sees(page, 'me.jpg')
  await page.getByRole('button', { name: 'Remove' }).focus()
  // The first is the link to the privacy policy.
  for (let pressed = 0; pressed < 2; pressed++) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const busy = page.getByRole('button', { name: 'Processing...' })
  await busy.waitFor()
  expect(await busy.isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Remove' }).isDisabled()).toBe(true)
  const sent = (await held).postDataBuffer()!.toString('latin1')
  expect(sent).toMatch(/name="source"\r\n\r\nhomepage\r\n/)
  expect(sent).toMatch(new RegExp(`name="userAlbumId"\r\n\r\n${album.ownerKey}\r\n`))
  expect(sent).toMatch(/name="photo"; filename="me.jpg"\r\nContent-Type: image\/jpeg/)

  letGo()
  await page.waitForURL(/\/selfie\/results\/[0-9a-f-]{36}$/)
  await sees(page, 'Here are your detected photos.')
  await sees(page, 'We found 1 photo of you.')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
    'Here are your detected photos.',
  )
  await page.goBack()
  await sees(page, 'Drop your selfie here')
})

test('an album with nobody in it leads to the page that says so, with what to try', async ({
  page,
  visitor,
  site,
  organiser,
  selfie,
}) => {
  const empty = await site.createAlbum('Garden Party')
  await visitor.becomeOrganiser({ ...organiser, userAlbumId: empty.ownerKey })
  await page.goto('/selfie')
  await choose(page, selfie)
  await submitButton(page).click()
  await page.waitForURL('**/selfie/no-results')
  await sees(page, 'No Photos Found')
  await sees(page, 'Sorry, there were no matched photos found.')
  for (const tip of [
    'Your photo may not be clear enough.',
    'You may not appear in the photos yet.',
    'Try a clearer selfie.',
    'Face the camera directly.',
  ])
    await page.getByRole('listitem').filter({ hasText: tip }).waitFor()
  expect(await headOf(page)).toEqual({ title: 'No Photos Found · Inframe', robots: HIDDEN })
  expect(await page.getByRole('link', { name: 'photo albums' }).getAttribute('href')).toBe('/albums')
  await page.getByRole('link', { name: 'Try with a Different Photo' }).click()
  await sees(page, 'Find your photos at Garden Party')
})

describe('a selfie that could not be submitted stays, with a toast', () => {
  async function expectFailure(page: Page, selfie: Buffer, description: string): Promise<void> {
    await choose(page, selfie)
    await submitButton(page).click()
    await seesToast(page, 'Upload failed', description)
    await sees(page, 'me.jpg')
    expect(new URL(page.url()).pathname).toBe('/selfie')
    expect(await submitButton(page).isEnabled()).toBe(true)
  }

  test('of what the service says', async ({ page, visitor, album, organiser, selfie }) => {
    await visitor.becomeOrganiser({ ...organiser, userAlbumId: 'nobody' })
    await page.goto('/selfie')
    const { body } = await album.owner.submitSelfie(selfie, { userAlbumId: 'nobody' })
    await expectFailure(page, selfie, body.message)
  })

  test.for<[string, (route: Route) => Promise<void>]>([
    ['a proxy in between answers', (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' })],
    ['nobody answers', (route) => route.abort()],
    ['the answer leads to another site', (route) => redirectTo(route, 'https://evil.example/')],
    ['the answer leads to another site without saying how', (route) => redirectTo(route, '//evil.example/')],
    ['the answer is a script', (route) => redirectTo(route, 'javascript:document.title="evil"')],
    ['the answer leads nowhere', (route) => route.fulfill({ json: {} })],
  ])('when %s', async ([_what, answer], { page, visitor, organiser, selfie }) => {
    await open(page, visitor, organiser)
    await page.route('**/api/submit-photo', answer)
    await expectFailure(page, selfie, 'Failed to submit photo')
    expect(await page.title()).toBe('Upload a selfie · Inframe')
  })

  const redirectTo = (route: Route, address: string) => route.fulfill({ json: { redirectTo: address } })
})
