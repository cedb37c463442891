import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { RATE_LIMITS } from '../../src/albums/rate-limits.ts'
import { readSample } from '../../src/testing/client.ts'
import { samplePath } from '../../src/testing/sample-photos.ts'
import {
  answerWith,
  type ChosenFile,
  choose,
  enterAsGuest,
  enterAsOwner,
  searchWith,
  selfieOfSample1,
} from './album-visits.ts'
import { siteTest } from './site-test.ts'
import { keepToastsOpen } from './toasts.ts'
import { holdBack, sees, seesToast } from './visitor.ts'

const SEARCH = '**/api/search-in-album'
const SEARCHES = 3

// Each visitor is a guest with a session of their own: the owner's would reach its limit.
const test = siteTest({ limits: { ...RATE_LIMITS, selfie: { ...RATE_LIMITS.selfie, perSession: SEARCHES } } })
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Garden Party')
    await site.fill(album, [1])
    return album
  })
  // Its face is that of the indexed photo.
  .extend('selfie', { scope: 'file' }, ({ site, album }) => album && selfieOfSample1(site))
test.beforeAll(({ selfie }) => void selfie)

const file = (name: string, mimeType: string, bytes: Buffer | number): ChosenFile => ({
  name,
  mimeType,
  buffer: typeof bytes === 'number' ? Buffer.alloc(bytes) : bytes,
})

const openToast = (page: Page) => page.locator('[aria-label^="Notification"] li[data-state=open]')

test.for([
  [
    'a PDF',
    file('me.pdf', 'application/pdf', 10),
    'Invalid file type',
    'Please upload an image file (JPG, PNG, etc.)',
  ],
  [
    "an iPhone's own format",
    file('IMG_0001.HEIC', 'image/heic', 10),
    'Invalid file type',
    'Please upload an image file (JPG, PNG, etc.)',
  ],
  [
    '12 MB',
    file('me.jpg', 'image/jpeg', 12 * 1024 * 1024),
    'File too large',
    'Please upload an image smaller than 10MB',
  ],
  [
    'nothing',
    file('me.jpg', 'image/jpeg', 0),
    'File too small',
    'This file is empty. Please choose another photo',
  ],
] as const)(
  'a file of %s is refused as a selfie',
  async ([_what, wrong, title, description], { page, visitor, album }) => {
    await enterAsGuest(visitor, album)
    await choose(page, wrong)
    await seesToast(page, title, description)
    expect(await page.getByRole('button', { name: 'Search Photos' }).isDisabled()).toBe(true)
  },
)

test("where a file in the iPhone's own format is refused, the page says how an iPhone sends JPEG", async ({
  page,
  visitor,
  album,
  selfie,
}) => {
  await enterAsGuest(visitor, album)
  await choose(page, file('IMG_0001.HEIC', 'image/heic', 10))
  const help = page.getByRole('alert').getByText(/Settings › Camera › Formats › Most Compatible/)
  await help.waitFor()
  await choose(page, selfie)
  await sees(page, 'selfie.jpg')
  expect(await help.count()).toBe(0)
})

test('a selfie may have exactly ten megabytes', async ({ page, visitor, album }) => {
  await enterAsGuest(visitor, album)
  await choose(page, file('me.jpg', 'image/jpeg', 10 * 1024 * 1024))
  await sees(page, '10.0 MB')
})

test('the search button stays where it is while the page loads the code for what is above it', async ({
  page,
  visitor,
  album,
  selfie,
}) => {
  const { letGo } = await holdBack(page, '**/more-selfies-*.js')
  await enterAsGuest(visitor, album)
  await choose(page, selfie)
  await sees(page, 'selfie.jpg')
  const place = () => page.getByRole('button', { name: 'Search Photos' }).boundingBox()
  const before = await place()
  letGo()
  await page.getByRole('button', { name: 'Add another selfie' }).waitFor()
  expect(await place()).toEqual(before)
})

test('two files at once are refused', async ({ page, visitor, album }) => {
  await enterAsGuest(visitor, album)
  const area = page.getByRole('button', { name: /^Upload a selfie/ })
  const { x, y } = (await area.boundingBox())!
  const devtools = await visitor.context.newCDPSession(page)
  const data = { items: [], files: [samplePath(1), samplePath(2)], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, x: x + 20, y: y + 20, data })
  await seesToast(page, 'Too many files', 'Please choose one photo')
})

test.for([
  [
    'without a face',
    () =>
      sharp({ create: { width: 600, height: 600, channels: 3, background: 'teal' } })
        .jpeg()
        .toBuffer(),
    'No face was found in this picture. Try a clearer photo that shows your face from the front.',
  ],
  [
    'that is a PDF under another name',
    async () => Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj'),
    'Please upload an image file (JPG, PNG, etc.)',
  ],
] as const)(
  'a selfie %s fails with the reason, and stays',
  async ([what, make, reason], { page, visitor, album, selfie }) => {
    const isFaceless = what === 'without a face'
    await enterAsGuest(visitor, album)
    await searchWith(page, file('holiday.jpg', 'image/jpeg', await make()))
    await seesToast(page, 'Search failed', reason)
    await sees(page, 'holiday.jpg')
    expect(await page.getByRole('main').getByText(reason).count()).toBe(isFaceless ? 1 : 0)
    expect(await page.getByRole('button', { name: 'Search Photos' }).isEnabled()).toBe(true)
    await page.getByRole('button', { name: 'Remove' }).click()
    expect(await page.getByRole('main').getByText(reason).count()).toBe(0)
    await searchWith(page, selfie)
    await page.getByRole('heading', { name: 'Found 1 Photo!' }).waitFor()
  },
)

test('a search takes the largest of several faces in a selfie, as the page says', async ({
  page,
  visitor,
  album,
}) => {
  await enterAsGuest(visitor, album)
  await page
    .getByText('If others are in it, the largest face is searched for. You can choose another one')
    .waitFor()
  await searchWith(page, file('us.jpg', 'image/jpeg', await readSample(1)))
  await page.getByRole('heading', { name: 'Found 1 Photo!' }).waitFor()
})

test('a failed search says why, keeps the selfie, and works when it is pressed again', async ({
  page,
  visitor,
  album,
  selfie,
}) => {
  await enterAsGuest(visitor, album)
  await keepToastsOpen(page)
  await answerWith(page, SEARCH, 500, 'Something went wrong on our side. Please try again.')
  await searchWith(page, selfie)
  await seesToast(page, 'Search failed', 'Something went wrong on our side. Please try again.')
  await page.unroute(SEARCH)
  // The keyboard is still on the button.
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('Search Photos'))

  await visitor.context.setOffline(true)
  await page.keyboard.press('Enter')
  await seesToast(
    page,
    'Search failed',
    'The service could not be reached. Please check your internet connection.',
  )
  await visitor.context.setOffline(false)
  await page.getByRole('button', { name: 'Search Photos' }).press('Enter')
  await page.getByRole('heading', { name: 'Found 1 Photo!' }).waitFor()
  // What failed before does not stay over what was found.
  await openToast(page).waitFor({ state: 'detached' })
})

test('what was said of one selfie goes when another one is chosen', async ({
  page,
  visitor,
  album,
  selfie,
}) => {
  await enterAsGuest(visitor, album)
  await keepToastsOpen(page)
  await choose(page, file('me.pdf', 'application/pdf', 10))
  await seesToast(page, 'Invalid file type')
  await choose(page, selfie)
  await sees(page, 'selfie.jpg')
  await openToast(page).waitFor({ state: 'detached' })
})

test('a failure without a message is shown as a failed search', async ({ page, visitor, album, selfie }) => {
  await enterAsGuest(visitor, album)
  await answerWith(page, SEARCH, 500, '')
  await searchWith(page, selfie)
  await seesToast(page, 'Search failed', 'Search failed')
})

test("after too many searches the service's own sentence is shown", async ({
  page,
  visitor,
  album,
  selfie,
}) => {
  await enterAsGuest(visitor, album)
  for (let search = 0; search < SEARCHES; search++)
    await page.request.post('/api/search-in-album', {
      multipart: { albumName: album.albumName, photo: selfie },
    })
  await searchWith(page, selfie)
  await seesToast(page, 'Search failed', 'Too many searches. Please wait a few minutes and try again.')
  await sees(page, 'selfie.jpg')
})

test('on a phone the selfie comes from the camera or from the gallery', async ({ visit, album, selfie }) => {
  const phone = await visit({ device: 'phone' })
  await enterAsOwner(phone, album)
  const take = phone.page.getByRole('button', { name: 'Take a selfie' })
  const browse = phone.page.getByRole('button', { name: /^Upload a selfie/ })
  for (const [button, capture] of [
    [take, 'user'],
    [browse, null],
  ] as const) {
    expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44)
    const dialog = phone.page.waitForEvent('filechooser')
    await button.tap()
    const input = (await dialog).element()
    expect(await input.getAttribute('capture')).toBe(capture)
    // Without image/heic in it, iOS hands its photos over as JPEG.
    expect(await input.getAttribute('accept')).toBe(
      'image/jpeg,.jpeg,.jpg,image/png,.png,image/gif,.gif,image/webp,.webp',
    )
  }
  const dialog = phone.page.waitForEvent('filechooser')
  await take.tap()
  await (await dialog).setFiles(selfie)
  await phone.page.getByRole('button', { name: 'Search Photos' }).tap()
  await phone.page.getByRole('heading', { name: 'Found 1 Photo!' }).waitFor()
})
