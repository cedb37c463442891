import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { consentNeeded } from '../../src/albums/consent.ts'
import { CONSENT } from '../../src/contract/wording.ts'
import { albumTest } from './album-test.ts'
import { type ChosenFile, choose, enterAsGuest, fillWithRows, searchWith } from './album-visits.ts'
import { expectNoAxeFault } from './axe.ts'
import { refuse } from './refusals.ts'
import { holdBack, sees, seesToast } from './visitor.ts'

const SEARCH = '**/api/search-in-album'

const test = albumTest({ copies: 40 })
  // Guests come with a phone.
  .extend('visitor', ({ visit }) => visit({ device: 'phone' }))

const file = (name: string, mimeType: string, buffer: Buffer): ChosenFile => ({ name, mimeType, buffer })

const searchButton = (page: Page) => page.getByRole('button', { name: 'Search Photos' })
const dropArea = (page: Page) => page.getByRole('button', { name: /^Upload a selfie/ })
/** The text of the element that has the focus. */
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim())
const hasFocus = (page: Page, text: string) =>
  page.waitForFunction((wanted) => document.activeElement?.textContent?.trim() === wanted, text)

test('a guest takes a selfie, finds the photos they are in, and asks for more of them', async ({
  visitor,
  page,
  album,
  selfie,
}) => {
  await enterAsGuest(visitor, album)
  await page.getByText('Your selfie is used for this one search and deleted after processing.').waitFor()
  expect(await searchButton(page).isDisabled()).toBe(true)
  const take = page.getByRole('button', { name: 'Take a selfie' })
  for (const [button, capture] of [
    [dropArea(page), null],
    [take, 'user'],
  ] as const) {
    const dialog = page.waitForEvent('filechooser')
    await button.tap()
    const input = (await dialog).element()
    expect(await input.getAttribute('capture')).toBe(capture)
    // Without image/heic in it, iOS hands its photos over as JPEG.
    expect(await input.getAttribute('accept')).not.toContain('hei')
    if (capture) await (await dialog).setFiles(selfie)
  }
  await sees(page, 'selfie.jpg')
  await page.getByRole('button', { name: 'Add another selfie' }).waitFor()
  await expectNoAxeFault(page)

  const { letGo } = await holdBack(page, SEARCH)
  await searchButton(page).tap()
  await page.getByRole('status').getByText('Searching the album for you').waitFor()
  expect(await page.getByRole('button', { name: 'Searching...' }).isDisabled()).toBe(true)
  await expectNoAxeFault(page)
  letGo()
  await page.getByRole('heading', { name: 'Found 41 Photos!' }).waitFor()
  expect(await focused(page)).toBe('Found 41 Photos!')
  // Nobody else is in this selfie.
  expect(await page.getByText('Not you? Tap your face.').count()).toBe(0)
  await expectNoAxeFault(page)

  const photos = page.locator('main li[aria-posinset]')
  const isFocused = (place: number) =>
    page.waitForFunction(
      (wanted) => document.activeElement?.closest('li')?.ariaPosInSet === String(wanted),
      place,
    )
  await page.getByRole('button', { name: 'Show more (23 left)' }).tap()
  await page.getByRole('status').getByText('Showing 36 of 41 photos').waitFor()
  await isFocused(19)
  await page.getByRole('button', { name: 'Show more (5 left)' }).tap()
  await page.getByRole('status').getByText('Showing 41 of 41 photos').waitFor()
  await isFocused(37)
  expect(await photos.last().getAttribute('aria-posinset')).toBe('41')
  expect(await photos.last().getAttribute('aria-setsize')).toBe('41')
  expect(await page.getByRole('button', { name: /Show more/ }).count()).toBe(0)
})

test('a guest agrees by the press of the button, or with a tick where the album asks for it, and reads that no photo was found', async ({
  visitor,
  page,
  site,
  selfie,
}) => {
  // Its photos show nobody.
  const album = await site.createAlbum('Garden Party')
  await fillWithRows(site, album, 3)
  await enterAsGuest(visitor, album)
  await page.getByText(CONSENT.text).waitFor()
  await sees(page, 'Searching for a child? Only their parent or guardian may do that.')
  const policy = page.getByRole('main').getByRole('link', { name: 'Privacy Policy' })
  expect(await policy.getAttribute('href')).toBe('/privacy-policy')
  expect(await policy.getAttribute('target')).toBe('_blank')
  const box = page.getByRole('checkbox', { name: CONSENT.tick })
  expect(await box.count()).toBe(0)

  const sent: (string | undefined)[][] = []
  await page.route(SEARCH, (route) => {
    const body = route.request().postDataBuffer()!.toString('latin1')
    const field = (name: string) => new RegExp(`name="${name}"\\r\\n\\r\\n([^\\r]*)`).exec(body)?.[1]
    sent.push([field('consentVersion'), field('consent')])
    return route.continue()
  })
  const version = String(CONSENT.version)
  await searchWith(page, selfie)
  await page.getByRole('heading', { name: 'No Photos Found' }).waitFor()
  expect(await focused(page)).toBe('No Photos Found')
  expect(sent.splice(0)).toEqual([[version, 'false']])
  await expectNoAxeFault(page)
  await page.getByRole('button', { name: 'Search Again' }).tap()
  await dropArea(page).waitFor()
  expect(await focused(page)).toContain('Drop your selfie here')
  expect(await searchButton(page).isDisabled()).toBe(true)

  // This page does not know it until it searches.
  await album.owner.post(`/api/albums/${album.ownerKey}/settings`, { consentTick: 'on' })
  await searchWith(page, selfie)
  await seesToast(page, 'Search failed', consentNeeded().message)
  await box.waitFor()
  await expectNoAxeFault(page)
  sent.length = 0
  await searchButton(page).tap()
  await page.getByRole('alert').getByText('Please tick the box if you agree').waitFor()
  await expectNoAxeFault(page)
  expect(await box.evaluate((input) => input === document.activeElement)).toBe(true)
  expect(sent).toEqual([])
  await page.getByText(CONSENT.tick).tap()
  expect(await page.getByText('Please tick the box if you agree').count()).toBe(0)
  await searchButton(page).tap()
  await sees(page, 'No Photos Found')
  expect(sent).toEqual([[version, 'true']])
  // The next search may be for somebody else.
  await page.getByRole('button', { name: 'Search Again' }).tap()
  expect(await box.isChecked()).toBe(false)
})

test('what cannot be a selfie, and a search that fails, are explained, and the next one works', async ({
  visitor,
  page,
  album,
  selfie,
}) => {
  await enterAsGuest(visitor, album)
  await choose(page, file('IMG_0001.HEIC', 'image/heic', Buffer.from('heic')))
  await seesToast(page, 'Invalid file type', 'Please upload an image file (JPG, PNG, etc.)')
  await expectNoAxeFault(page)
  expect(await searchButton(page).isDisabled()).toBe(true)

  const background = 'teal'
  const faceless = sharp({ create: { width: 600, height: 600, channels: 3, background } })
  await choose(page, file('holiday.jpg', 'image/jpeg', await faceless.jpeg().toBuffer()))
  await sees(page, 'holiday.jpg')
  await searchButton(page).tap()
  await seesToast(page, 'Search failed')
  const reason = page.getByRole('main').getByText(/^No face was found in this picture\./)
  await reason.waitFor()
  await sees(page, 'holiday.jpg')
  expect(await searchButton(page).isEnabled()).toBe(true)
  await page.getByRole('button', { name: 'Remove' }).tap()
  await reason.waitFor({ state: 'detached' })

  await refuse(page, SEARCH, { code: 'INTERNAL_SERVER_ERROR', message: 'Something went wrong on our side.' })
  await searchWith(page, selfie)
  await seesToast(page, 'Search failed', 'Something went wrong on our side.')
  await page.unroute(SEARCH)
  // The keyboard is still on the button.
  await hasFocus(page, 'Search Photos')
  await visitor.context.setOffline(true)
  await page.keyboard.press('Enter')
  await seesToast(
    page,
    'Search failed',
    'The service could not be reached. Please check your internet connection.',
  )
  const toast = page.locator('[aria-label^="Notification"] li[data-state=open]')
  // A pointer keeps it open, and yet it does not stay over what is found.
  await toast.dispatchEvent('pointermove', { bubbles: true })
  await visitor.context.setOffline(false)
  await searchButton(page).press('Enter')
  await page.getByRole('heading', { name: 'Found 41 Photos!' }).waitFor()
  await toast.waitFor({ state: 'detached' })
})

/** As a phone's camera writes it: 4,000 pixels high, lying in the file, with the mark that it stands. */
async function fromCamera(selfie: ChosenFile): Promise<ChosenFile> {
  const lying = await sharp(selfie.buffer).resize(3000, 4000, { fit: 'fill' }).rotate(270).toBuffer()
  const buffer = await sharp(lying).withMetadata({ orientation: 6 }).jpeg({ quality: 98 }).toBuffer()
  return { ...selfie, buffer }
}

/** Keeps what the page puts into its form: Playwright does not see the files of a request. */
function keepSelfies(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const { append } = FormData.prototype
    FormData.prototype.append = function (this: FormData, ...field: [string, Blob, string]) {
      if (field[0] === 'photo') Object.assign(window, { sentSelfie: field[1] })
      append.apply(this, field)
    } as FormData['append']
  })
}

async function sentBy(page: Page): Promise<Buffer> {
  const bytes = await page.evaluate(async () => {
    const { sentSelfie } = window as unknown as { sentSelfie: Blob }
    return [...new Uint8Array(await sentSelfie.arrayBuffer())]
  })
  return Buffer.from(bytes)
}

test('a selfie of a camera is sent upright and small, and as it is by a browser that fills copies with noise', async ({
  visitor,
  page,
  album,
  selfie,
}) => {
  const large = await fromCamera(selfie)
  await keepSelfies(page)
  await enterAsGuest(visitor, album)
  await searchWith(page, large)
  await page.getByRole('heading', { name: 'Found 41 Photos!' }).waitFor()
  const sent = await sentBy(page)
  expect(sent.length).toBeLessThan(large.buffer.length)
  const { width, height, orientation } = await sharp(sent).metadata()
  expect({ width, height, orientation }).toEqual({ width: 1500, height: 2000, orientation: undefined })

  await page.getByRole('button', { name: 'Search Again' }).tap()
  await page.evaluate(() => {
    const { convertToBlob } = OffscreenCanvas.prototype
    OffscreenCanvas.prototype.convertToBlob = function (options) {
      const context = this.getContext('2d')!
      context.fillStyle = 'grey'
      context.fillRect(0, 0, this.width, this.height)
      return convertToBlob.call(this, options)
    }
  })
  await searchWith(page, large)
  await page.getByRole('heading', { name: 'Found 41 Photos!' }).waitFor()
  expect((await sentBy(page)).equals(large.buffer)).toBe(true)
})
