import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import {
  addCopies,
  answerWith,
  type ChosenFile,
  enterAsGuest,
  enterAsOwner,
  givePassword,
  searchWith,
  selfieOfSample1,
} from './album-visits.ts'
import { pausesBetween } from './page-clock.ts'
import type { OwnedAlbum } from './site.ts'
import { siteTest } from './site-test.ts'
import { holdBack, sees, seesToast, type Visitor } from './visitor.ts'

const SEARCH_PATH = '/api/search-in-album'
const SEARCH = `**${SEARCH_PATH}`
const MINUTE = 60_000
const THUMBS = '**/photos/*/thumb?*'

const test = siteTest()
  /** Sample 1 and 20 copies of it. */
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Garden Party')
    await site.fill(album, [1])
    await addCopies(site, album, 20)
    return album
  })
  // Its face is that of the indexed photo.
  .extend('selfie', { scope: 'file' }, ({ site, album }) => album && selfieOfSample1(site))
test.beforeAll(({ selfie }) => void selfie)

const openLinks = (page: Page) => page.getByRole('link', { name: /^Open / })
const thumbs = (page: Page) => page.locator('main li img')
const addresses = (page: Page) =>
  openLinks(page).evaluateAll((links) => links.map((link) => link.getAttribute('href')))
const searched = (page: Page) => page.waitForResponse((response) => response.url().includes(SEARCH_PATH))
const found = (page: Page) => page.getByRole('heading', { name: 'Found 21 Photos!' }).waitFor()

/** Enters the album and finds its 21 photos. */
async function searchAsOwner(visitor: Visitor, album: OwnedAlbum, selfie: ChosenFile): Promise<void> {
  await enterAsOwner(visitor, album)
  await searchWith(visitor.page, selfie)
  await found(visitor.page)
}

/** Waits until this many thumbnails have been drawn. */
const drawn = (page: Page, count: number) =>
  page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll<HTMLImageElement>('main li img')].filter(
        (image) => image.naturalWidth > 0,
      ).length >= wanted,
    count,
  )

/** Scrolls through all photos, so that none is still to load. One that loads later would renew the addresses early. */
async function allDrawn(page: Page, count: number): Promise<void> {
  await thumbs(page).last().scrollIntoViewIfNeeded()
  await drawn(page, count)
}

async function changePassword(album: OwnedAlbum): Promise<string> {
  const { body } = await album.owner.post(`/api/albums/${album.ownerKey}/password`, {})
  return body.albumPassword
}

test('a thumbnail is a placeholder in a box that keeps its size', async ({
  page,
  visitor,
  album,
  selfie,
}) => {
  await enterAsOwner(visitor, album)
  const { letGo } = await holdBack(page, THUMBS)
  await searchWith(page, selfie)
  await found(page)
  const box = page.locator('main li').first()
  const before = await box.boundingBox()
  expect(
    await thumbs(page)
      .first()
      .evaluate((image) => getComputedStyle(image).opacity),
  ).toBe('0')
  letGo()
  await drawn(page, 8)
  expect(await box.boundingBox()).toEqual(before)
  expect(
    await thumbs(page)
      .first()
      .evaluate((image) => getComputedStyle(image).opacity),
  ).toBe('1')
})

test('a thumbnail that does not load says so, and loads when the visitor tries again', async ({
  page,
  visitor,
  album,
  selfie,
}) => {
  await enterAsOwner(visitor, album)
  // The page asks early for the first photos, and perhaps again when it draws them.
  let broken: string | undefined
  let isBroken = true
  await page.route(THUMBS, (route) => {
    const address = route.request().url()
    broken ??= address
    return isBroken && address === broken ? route.abort() : route.continue()
  })
  await searchWith(page, selfie)
  await found(page)
  const again = page.getByRole('button', { name: /^Try again to load/ })
  await again.waitFor()
  expect(await again.count()).toBe(1)
  isBroken = false
  await again.press('Enter')
  await again.waitFor({ state: 'detached' })
  await drawn(page, 8)
  // The keyboard is on the photo that has loaded.
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Open '))
})

test('the addresses are renewed in the background before the hour is over', async ({
  page,
  clock,
  visitor,
  album,
  selfie,
}) => {
  await searchAsOwner(visitor, album, selfie)
  const [answer] = await Promise.all([searched(page), clock.pass(55 * MINUTE)])
  expect(answer.status()).toBe(200)
  const { photos } = await answer.json()
  await page.waitForFunction(
    (fresh) =>
      [...document.querySelectorAll('main li a')].some((link) => link.getAttribute('href') === fresh),
    photos[0].url,
  )
  expect(await page.locator('li[data-state=open]').count()).toBe(0)
  const [pause, ...more] = pausesBetween(await clock.calls(SEARCH_PATH))
  expect(pause).toBeGreaterThanOrEqual(54 * MINUTE)
  expect(pause).toBeLessThan(55.5 * MINUTE)
  expect(more).toEqual([])
})

test('a tab that was left is renewed when the visitor comes back, and not before', async ({
  page,
  clock,
  visitor,
  album,
  selfie,
}) => {
  await searchAsOwner(visitor, album, selfie)
  await lookAway(page, true)
  await clock.pass(180 * MINUTE)
  expect(await clock.calls(SEARCH_PATH)).toHaveLength(1)
  await Promise.all([searched(page), lookAway(page, false)])
  expect(await clock.calls(SEARCH_PATH)).toHaveLength(2)
})

test('photos whose addresses ended with the password load again for the owner', async ({
  page,
  clock,
  visitor,
  album,
  selfie,
}) => {
  await searchAsOwner(visitor, album, selfie)
  await allDrawn(page, 18)
  const former = await addresses(page)
  await changePassword(album)
  await clock.pass(2 * MINUTE)
  const [, answer] = await Promise.all([
    page.getByRole('button', { name: 'Show more (3 left)' }).click(),
    searched(page),
  ])
  expect(answer.status()).toBe(200)
  await allDrawn(page, 21)
  // The page removes its button a moment after the photo is drawn.
  await expect.poll(() => page.getByRole('button', { name: /^Try again to load/ }).count()).toBe(0)
  const fresh = await addresses(page)
  expect(fresh).toHaveLength(21)
  for (const address of former) expect(fresh).not.toContain(address)
})

test('an open viewer gets fresh addresses, goes on to further photos, and marks the face', async ({
  page,
  clock,
  visitor,
  album,
  selfie,
}) => {
  const versionOf = (url: string) => Number(/[?&]v=(\d+)/.exec(url)![1])
  await searchAsOwner(visitor, album, selfie)
  let version = versionOf((await addresses(page))[0]!)
  const picture = { width: 900, height: 600, channels: 3, background: '#a86' } as const
  const body = await sharp({ create: picture }).jpeg().toBuffer()
  await page.route('**/photos/*/preview?*', (route) =>
    versionOf(route.request().url()) === version
      ? route.fulfill({ body, contentType: 'image/jpeg' })
      : route.fulfill({ status: 403 }),
  )
  const viewer = page.getByRole('dialog')
  const shows = (name: RegExp) => viewer.getByRole('heading', { name }).waitFor()
  const shown = viewer.locator('[aria-hidden=false] img.pswp__img:not([aria-hidden])')
  await openLinks(page).first().click()
  await shows(/^Photo 1 of 21/)
  await shown.waitFor()

  // The former addresses end, so the next photo does not load. The grid has 18 photos. The others come when the
  // visitor is near its end.
  await changePassword(album)
  version++
  await clock.pass(2 * MINUTE)
  await Promise.all([searched(page), page.keyboard.press('End')])
  await shows(/^Photo 18 of 21/)
  await shown.waitFor()
  expect(await viewer.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  await page.keyboard.press('End')
  await shows(/^Photo 21 of 21/)

  // The copies have no box.
  const isSample = () => viewer.getByRole('heading', { name: 'sample1.jpg' }).isVisible()
  for (let place = 20; place > 0 && !(await isSample()); place--) {
    await page.keyboard.press('ArrowLeft')
    await shows(new RegExp(`^Photo ${place} of`))
  }
  const mark = viewer.getByRole('button', { name: 'Show my face' })
  await mark.click()
  const photo = (await shown.boundingBox())!
  const face = (await viewer.locator('.viewfinder').boundingBox())!
  expect(face.x).toBeGreaterThan(photo.x)
  expect(face.x + face.width).toBeLessThan(photo.x + photo.width)
  await mark.click()
  expect(await viewer.locator('.viewfinder').count()).toBe(0)
})

test('photos that fail at the same moment are renewed by one search', async ({
  page,
  clock,
  visitor,
  album,
  selfie,
}) => {
  await searchAsOwner(visitor, album, selfie)
  await drawn(page, 8)
  await clock.pass(2 * MINUTE)
  const failAll = () =>
    thumbs(page).evaluateAll((images) => {
      for (const image of images) image.dispatchEvent(new Event('error'))
    })
  await Promise.all([searched(page), failAll()])
  expect(await clock.calls(SEARCH_PATH)).toHaveLength(2)
})

test('a guest whose access has ended is asked for the password again, reads why, and keeps the selfie', async ({
  page,
  visitor,
  album,
  selfie,
}) => {
  const { body } = await album.owner.get(`/api/albums/by-name/${album.albumName}`)
  await enterAsGuest(visitor, { ...album, password: body.album.albumPassword })
  await searchWith(page, selfie)
  await found(page)
  await page.getByRole('button', { name: 'Search Again' }).click()
  const password = await changePassword(album)
  await searchWith(page, selfie)
  await page.getByRole('heading', { name: 'Access Album' }).waitFor()
  await sees(page, 'Please enter the password again')
  await sees(
    page,
    'Your access to this album has ended. The organiser may have changed the password, or you have logged out in another tab. Your selfie is still here.',
  )
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Access Album')
  await givePassword(page, password)
  await seesToast(page, 'Access granted!', 'Welcome to Garden Party')
  await sees(page, 'selfie.jpg')
  await page.getByRole('button', { name: 'Search Photos' }).click()
  await found(page)
})

test('where nothing can be renewed, the photos say that they did not load', async ({
  page,
  clock,
  visitor,
  album,
  selfie,
}) => {
  await searchAsOwner(visitor, album, selfie)
  await allDrawn(page, 18)
  await clock.pass(2 * MINUTE)
  await page.route(THUMBS, (route) => route.abort())
  await answerWith(page, SEARCH, 500, 'Something went wrong on our side. Please try again.')
  await page.getByRole('button', { name: 'Show more (3 left)' }).click()
  const again = page.getByRole('button', { name: /^Try again to load/ })
  // A photo that fails only after the search works again would renew all of them before the click.
  await again.nth(2).waitFor()
  await page.unroute(THUMBS)
  await page.unroute(SEARCH)
  await Promise.all([searched(page), again.first().click()])
  await page.waitForFunction(() => !document.querySelector('main li button'))
})

test('an address that has expired leads to a page that says so', async ({ page, site, album, selfie }) => {
  await album.owner.search(album.albumName, selfie.buffer)
  const photo = await site.database.db.selectFrom('photos').select('id').limit(1).executeTakeFirstOrThrow()
  const longAgo = Date.now() - 2 * 60 * 60_000
  const { url, downloadUrl } = site.context.services.links.sign(photo.id, 1, longAgo)
  for (const address of [url, downloadUrl]) {
    const response = await page.goto(address)
    expect(response?.status()).toBe(403)
    await page.getByRole('heading', { level: 1, name: 'This photo cannot be shown' }).waitFor()
    await sees(page, 'This link has expired. Open the album again.')
    expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex, nofollow')
  }
  await page.getByRole('link', { name: 'Browse Photo Albums' }).click()
  await page.waitForURL('**/albums')
  // A program still gets the error.
  const answer = await page.request.get(url, { headers: { accept: '*/*' } })
  expect(await answer.json()).toMatchObject({ code: 'FORBIDDEN' })
})

/** Makes the page believe that its tab is hidden behind another, or is visible again. */
async function lookAway(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: state })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    hidden ? 'hidden' : 'visible',
  )
}
