import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { searchOfFormerPassword } from '../../src/search/search-token.ts'
import { albumTest } from './album-test.ts'
import { enterAsOwner, givePassword, searchAsGuest, searchWith } from './album-visits.ts'
import { expectNoAxeFault } from './axe.ts'
import { changeAnswers } from './search-answers.ts'
import type { OwnedAlbum } from './site.ts'
import { replaceShareSheet } from './take-home.ts'
import { answerThumbnails } from './thumbnails.ts'
import { button, holdBack, sees, seesToast } from './visitor.ts'

const SEARCH_PATH = '/api/search-in-album'
const MINUTE = 60_000

const test = albumTest({ copies: 22 })

/** The album as a guest of this moment knows it: tests change its password. */
async function withPassword(album: OwnedAlbum): Promise<OwnedAlbum> {
  const { body } = await album.owner.get(`/api/albums/by-name/${album.albumName}`)
  return { ...album, password: body.album.albumPassword }
}

async function changePassword({ owner, ownerKey }: OwnedAlbum): Promise<string> {
  return (await owner.post(`/api/albums/${ownerKey}/password`, {})).body.albumPassword
}

const gate = (page: Page) => page.getByRole('heading', { name: 'Access Album' })
const tiles = (page: Page) => page.locator('main li')
const openLinks = (page: Page) => page.getByRole('link', { name: /^Open / })
const viewer = (page: Page) => page.getByRole('dialog')
const searched = (page: Page) => page.waitForResponse((response) => response.url().includes(SEARCH_PATH))
const found = (page: Page) => page.getByRole('heading', { name: 'Found 23 Photos!' }).waitFor()
const hasPhotos = (page: Page, count: number) =>
  expect.poll(() => tiles(page).first().getAttribute('aria-setsize')).toBe(String(count))

/** Which password of its album an address of a photo belongs to. */
const versionIn = (address: string) => Number(/[?&]v=(\d+)/.exec(address)![1])
const versionOf = async (page: Page) => versionIn((await openLinks(page).first().getAttribute('href'))!)

/** The page asks for the password again and says why. The visitor enters the new one. */
async function enterAgain(page: Page, password: string): Promise<void> {
  await gate(page).waitFor()
  await page.getByText(/^Your access to this album has ended\. The organiser may have changed/).waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Access Album')
  await givePassword(page, password)
}

/** Makes the page believe that its tab is hidden behind another, or is visible again. */
const lookAway = (page: Page, hidden: boolean) =>
  page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: state })
      document.dispatchEvent(new Event('visibilitychange'))
    },
    hidden ? 'hidden' : 'visible',
  )

test('the addresses of found photos are renewed before the hour is over, and for the owner after a change of the password', async ({
  page,
  clock,
  visitor,
  album,
  selfie,
}) => {
  await enterAsOwner(visitor, album)
  await answerThumbnails(page)
  const { letGo } = await holdBack(page, '**/photos/*/thumb?*')
  await searchWith(page, selfie)
  await found(page)
  // A thumbnail is a placeholder in a box that keeps its size.
  const box = await tiles(page).first().boundingBox()
  const opacity = () =>
    tiles(page)
      .first()
      .locator('img')
      .evaluate((image) => getComputedStyle(image).opacity)
  expect(await opacity()).toBe('0')
  letGo()
  await expect.poll(opacity).toBe('1')
  expect(await tiles(page).first().boundingBox()).toEqual(box)

  await clock.pass(50 * MINUTE)
  expect(await clock.calls(SEARCH_PATH)).toHaveLength(1)
  const [answer] = await Promise.all([searched(page), clock.pass(5 * MINUTE)])
  const fresh = (await answer.json()).photos[0].url
  await expect
    .poll(() => openLinks(page).evaluateAll((links) => links.map((link) => link.getAttribute('href'))))
    .toContain(fresh)
  expect(await page.locator('li[data-state=open]').count()).toBe(0)

  // A tab that was left is renewed when the visitor comes back.
  await lookAway(page, true)
  await clock.pass(180 * MINUTE)
  expect(await clock.calls(SEARCH_PATH)).toHaveLength(2)
  await Promise.all([searched(page), lookAway(page, false)])

  const former = await versionOf(page)
  await changePassword(album)
  await button(page, 'Download all 23').click()
  await expect.poll(() => versionOf(page)).toBe(former + 1)
  expect(await gate(page).count()).toBe(0)
})

test('an open viewer gets fresh addresses, goes on to further photos, and marks the face', async ({
  page,
  visitor,
  album,
  selfie,
}) => {
  await answerThumbnails(page)
  await enterAsOwner(visitor, album)
  await searchWith(page, selfie)
  await found(page)
  let version = await versionOf(page)
  const picture = { width: 900, height: 600, channels: 3, background: '#a86' } as const
  const body = await sharp({ create: picture }).jpeg().toBuffer()
  await page.route('**/photos/*/preview?*', (route) =>
    versionIn(route.request().url()) === version
      ? route.fulfill({ body, contentType: 'image/jpeg' })
      : route.fulfill({ status: 403 }),
  )
  const shows = (name: RegExp) => viewer(page).getByRole('heading', { name }).waitFor()
  const shown = viewer(page).locator('[aria-hidden=false] img.pswp__img:not([aria-hidden])')
  await openLinks(page).first().click()
  await shows(/^Photo 1 of 23/)
  await shown.waitFor()

  // The former addresses end, so the last photo of the grid does not load.
  await changePassword(album)
  version++
  await Promise.all([searched(page), page.keyboard.press('End')])
  await shows(/^Photo 18 of 23/)
  await shown.waitFor()
  expect(await viewer(page).getByText('This photo could not be loaded.').count()).toBe(0)
  // The grid had 18 photos. The others come when the visitor is near its end.
  await page.keyboard.press('End')
  await shows(/^Photo 23 of 23/)

  // The copies have no box.
  const isSample = () => viewer(page).getByRole('heading', { name: 'sample1.jpg' }).isVisible()
  for (let place = 22; place > 0 && !(await isSample()); place--) {
    await page.keyboard.press('ArrowLeft')
    await shows(new RegExp(`^Photo ${place} of`))
  }
  const mark = viewer(page).getByRole('button', { name: 'Show my face' })
  await mark.click()
  const photo = (await shown.boundingBox())!
  const face = (await viewer(page).locator('.viewfinder').boundingBox())!
  await expectNoAxeFault(page)
  expect(face.x).toBeGreaterThan(photo.x)
  expect(face.x + face.width).toBeLessThan(photo.x + photo.width)
  await mark.click()
  expect(await viewer(page).locator('.viewfinder').count()).toBe(0)
})

test('a guest whose photos a new password has ended goes through the gate, and sees the same photos', async ({
  visitor,
  album,
  selfie,
}) => {
  const { page, context } = visitor
  await answerThumbnails(page)
  await searchAsGuest(visitor, await withPassword(album), selfie)
  await found(page)
  const former = await versionOf(page)
  await button(page, 'Show more (5 left)').click()
  await hasPhotos(page, 23)
  await tiles(page).last().scrollIntoViewIfNeeded()
  const askForTick = (consentTick: string) =>
    album.owner.post(`/api/albums/${album.ownerKey}/settings`, { consentTick })
  // The same search needs no further tick.
  await askForTick('on')
  let password = await changePassword(album)
  await tiles(page)
    .last()
    .getByRole('link', { name: /^Download / })
    .click()
  await enterAgain(page, password)
  await found(page)
  await hasPhotos(page, 23)
  await expect.poll(() => versionOf(page)).toBe(former + 1)
  await askForTick('off')
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download sample1.jpg' }).click()
  expect(await (await downloading).failure()).toBeNull()

  await button(page, 'Select').click()
  await tiles(page).first().getByRole('checkbox').check()
  await sees(page, '1 selected')
  password = await changePassword(album)
  await button(page, 'Download').click()
  await enterAgain(page, password)
  await sees(page, '1 selected')
  expect(await tiles(page).first().getByRole('checkbox').isChecked()).toBe(true)
  await expect.poll(() => versionOf(page)).toBe(former + 2)

  // After a log-out in another tab, the next person sees nothing of what was found.
  const other = await context.newPage()
  await other.goto(`/album/${album.albumName}`)
  await button(other, 'Log out').click()
  await gate(other).waitFor()
  await enterAgain(page, password)
  await button(page, 'Search Photos').waitFor()
  expect(await page.getByRole('heading', { name: /^Found / }).count()).toBe(0)
  expect(await page.getByText('selfie.jpg').count()).toBe(0)
})

test('a reload and a way back keep the results without the selfie, until the hour is over or the password has changed', async ({
  visit,
  album,
  selfie,
}) => {
  const visitor = await visit({ device: 'phone' })
  const { page } = visitor
  await replaceShareSheet(visitor, ['takes'])
  await answerThumbnails(page)
  const sent = await changeAnswers(page, (answer) => answer)
  await searchAsGuest(visitor, await withPassword(album), selfie)
  await found(page)
  await page.reload()
  await found(page)
  expect(sent.map(({ selfies }) => selfies)).toEqual([1, 0])
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(selfie.name)

  await page.locator('#content').getByRole('link', { name: 'Privacy', exact: true }).click()
  await page.getByRole('heading', { name: 'Privacy Policy' }).waitFor()
  await page.goBack()
  await found(page)
  await openLinks(page).first().click()
  await viewer(page).waitFor()
  await page.reload()
  await found(page)
  await page.goBack()
  await page.waitForFunction(() => history.state.openPhoto === undefined)
  await found(page)

  await button(page, 'Search Again').click()
  await page.reload()
  await button(page, 'Search Photos').waitFor()
  expect(await page.getByRole('heading', { name: /^Found / }).count()).toBe(0)

  await searchWith(page, selfie)
  await found(page)
  let password = await changePassword(album)
  await page.reload()
  await givePassword(page, password)
  await sees(page, searchOfFormerPassword().message)
  // It is said once.
  await page.reload()
  await button(page, 'Search Photos').waitFor()
  expect(await page.getByText(searchOfFormerPassword().message).count()).toBe(0)

  // A guest who was about to search keeps the selfie.
  password = await changePassword(album)
  await searchWith(page, selfie)
  await sees(page, 'Please enter the password again')
  await expectNoAxeFault(page)
  await givePassword(page, password)
  await seesToast(page, 'Access granted!')
  await sees(page, 'selfie.jpg')
  await button(page, 'Search Photos').click()
  await found(page)

  // Nor can the phone save what the former password has given.
  await page.unroute('**/photos/*/preview?*')
  password = await changePassword(album)
  await button(page, 'Save all to Photos').tap()
  await enterAgain(page, password)
  await found(page)
})
