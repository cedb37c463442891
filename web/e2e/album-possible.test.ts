import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { STILL_MS } from '../features/photos/use-still.ts'
import {
  addCopies,
  answerWith,
  enterAsGuest,
  enterAsOwner,
  searchWith,
  selfieOfSample1,
} from './album-visits.ts'
import { installClock } from './page-clock.ts'
import { boxesIn, changeAnswers, faceId, unsureOf } from './search-answers.ts'
import { siteTest } from './site-test.ts'
import { tapTwice } from './touch.ts'
import { holdBack, sees } from './visitor.ts'

const SEARCH = '**/api/search-in-album'
const SURE = 2
const ASKED = 4

const test = siteTest()
  /** Sample 1 and seven copies of it. */
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Garden Party')
    await site.fill(album, [1])
    await addCopies(site, album, 7)
    return album
  })
  // Its face is that of the indexed photo.
  .extend('selfie', { scope: 'file' }, ({ site, album }) => album && selfieOfSample1(site))
  .extend('boxes', { scope: 'file' }, ({ site, album }) => album && boxesIn(site.database.db, 'sample1.jpg'))
test.beforeAll(({ selfie, boxes }) => void [selfie, boxes])

const questions = (page: Page) => page.getByRole('group', { name: /^Is this you in/ })
const yes = (page: Page) => page.getByRole('button', { name: "Yes, that's me" })
const no = (page: Page) => page.getByRole('button', { name: 'No', exact: true })
const QUICK_ANSWERS = [
  ["Yes, that's me", 1],
  ["Yes, that's me", 1],
  ['No', 0],
] as const
const undo = (page: Page) => page.getByRole('button', { name: 'Undo' })
/** The names of the photos in the grid, in order. */
const photosShown = (page: Page) =>
  page
    .locator('li[aria-posinset] a[download]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('download')))
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

test('a confirmed photo is added at once, and those that it leads to soon after, while the page stays where it is', async ({
  visit,
  album,
  selfie,
  boxes,
}) => {
  const phone = await visit({ device: 'phone' })
  const { page } = phone
  const clock = await installClock(page)
  const sent = await changeAnswers(page, (answer, search) =>
    unsureOf(answer, search, { sure: SURE, asked: ASKED, boxes }),
  )
  await enterAsOwner(phone, album)
  await searchWith(page, selfie)
  await sees(page, 'Found 2 Photos!')
  await page.getByRole('heading', { name: 'Are you in these, too?' }).waitFor()
  expect(await questions(page).count()).toBe(4)
  const before = await photosShown(page)
  const [asked] = await questions(page).allTextContents()
  // The focus would scroll to a question that is not wholly visible.
  await questions(page)
    .first()
    .evaluate((question) => question.scrollIntoView({ block: 'center', behavior: 'instant' }))
  const { y } = (await questions(page).first().boundingBox())!
  const { letGo } = await holdBack(page, SEARCH)
  await yes(page).first().tap()
  await sees(page, 'Found 3 Photos!')
  await page.getByRole('status').getByText('Added to your photos. Searching for more of them...').waitFor()
  expect(await questions(page).count()).toBe(3)
  const confirmed = /in (.+)\? Question/.exec(asked!)![1]
  expect(await photosShown(page)).toEqual([...before, confirmed])
  // One row more is above the questions, and the next one is where the last one was.
  expect((await questions(page).first().boundingBox())!.y).toBeCloseTo(y, 0)
  expect(await focusedText(page)).toContain('Question 1 of 3')

  await clock.pass(1_500)
  letGo()
  await page.getByRole('status').getByText('Added to your photos. 1 more photo found.').waitFor()
  await sees(page, 'Found 4 Photos!')
  expect((await photosShown(page)).slice(0, 3)).toEqual([...before, confirmed])
  expect((await questions(page).first().boundingBox())!.y).toBeCloseTo(y, 0)
  expect(await focusedText(page)).toContain('Question 1 of 3')
  expect(sent.map((search) => search.confirmed)).toEqual([[], [faceId(0)]])
})

test('by keyboard: each answer leads to the next question, the last one can be taken back, and all are sent when the addresses are renewed', async ({
  page,
  visitor,
  clock,
  album,
  selfie,
  boxes,
}) => {
  const sent = await changeAnswers(page, (answer, search) =>
    unsureOf(answer, search, { sure: SURE, asked: ASKED, boxes }),
  )
  await enterAsOwner(visitor, album)
  await searchWith(page, selfie)
  await no(page).first().press('Enter')
  await page.getByRole('status').getByText('This photo is left out.').waitFor()
  expect(await focusedText(page)).toContain('Question 1 of 3')
  await page.keyboard.press('Shift+Tab')
  expect(await focusedText(page)).toBe('Undo')
  await page.keyboard.press('Enter')
  expect(await focusedText(page)).toContain('Question 1 of 4')
  expect(await undo(page).count()).toBe(0)

  // Quick answers need one more search. Inside the page they are quick on a busy machine, too.
  const { letGo } = await holdBack(page, SEARCH)
  await page.evaluate(async (answers) => {
    for (const [name, place] of answers) {
      const buttons = [...document.querySelectorAll('button')].filter(
        ({ textContent }) => textContent === name,
      )
      buttons[place]!.click()
      await new Promise(requestAnimationFrame)
    }
  }, QUICK_ANSWERS)
  await sees(page, 'Found 4 Photos!')
  await clock.pass(1_500)
  letGo()
  await sees(page, 'Found 5 Photos!')
  await no(page).first().press('Enter')
  await page.getByRole('status').getByText('This photo is left out. That was the last one.').waitFor()
  expect(await focusedText(page)).toContain('This photo is left out.')
  expect(sent.map((search) => search.confirmed)).toEqual([[], [faceId(1), faceId(2)]])
  expect(sent[1]!.rejected).toEqual([faceId(0)])

  await clock.pass(55 * 60_000)
  await expect.poll(() => sent.length).toBe(3)
  expect(sent[2]).toMatchObject({ confirmed: [faceId(1), faceId(2)], rejected: [faceId(0), faceId(3)] })
  await sees(page, 'Found 5 Photos!')

  // Taking a yes back removes the photos that it has led to.
  for (const open of [1, 2, 3, 4]) {
    await clock.pass(STILL_MS)
    await undo(page).click()
    await expect.poll(() => questions(page).count()).toBe(open)
  }
  await sees(page, 'Found 3 Photos!')
  await clock.pass(1_500)
  await sees(page, 'Found 2 Photos!')
})

test('when no photo is surely of the visitor, the page asks instead of saying that there is none', async ({
  visit,
  album,
  selfie,
  boxes,
}) => {
  const phone = await visit({ device: 'phone' })
  const { page } = phone
  const clock = await installClock(page)
  await changeAnswers(page, (answer, search) => unsureOf(answer, search, { sure: 0, asked: 8, boxes }))
  await enterAsGuest(phone, album)
  await searchWith(page, selfie)
  await page.getByRole('heading', { name: 'We are not sure. Are you in these?' }).waitFor()
  expect(await focusedText(page)).toBe('We are not sure. Are you in these?')
  await page.getByRole('button', { name: 'Search Again' }).waitFor()
  expect(await page.getByText('No Photos Found').count()).toBe(0)
  // A photo loads when it is near the window.
  const faces = page.getByRole('img', { name: 'The face in question' })
  const isDrawn = (place: number) =>
    faces.nth(place).evaluate((image: HTMLImageElement) => image.naturalWidth > 0)
  await expect.poll(() => isDrawn(0)).toBe(true)
  expect(await faces.last().getAttribute('src')).toBeNull()
  await questions(page).last().scrollIntoViewIfNeeded()
  await expect.poll(() => isDrawn(7)).toBe(true)

  for (let left = 8; left > 0; left--) {
    await expect.poll(() => questions(page).count()).toBe(left)
    await clock.pass(STILL_MS)
    await no(page).first().tap()
  }
  await page.getByRole('heading', { name: 'No Photos Found' }).waitFor()
  expect(await focusedText(page)).toBe('This photo is left out. That was the last one.')
  await clock.pass(STILL_MS)
  await undo(page).tap()
  await clock.pass(STILL_MS)
  await yes(page).first().tap()
  await page.getByRole('heading', { name: 'Found 1 Photo!' }).waitFor()
})

test('a double tap answers one question, although the next one slides under the finger', async ({
  visit,
  album,
  selfie,
  boxes,
}) => {
  const phone = await visit({ device: 'phone' })
  const { page } = phone
  await changeAnswers(page, (answer, search) => unsureOf(answer, search, { sure: SURE, asked: ASKED, boxes }))
  await enterAsOwner(phone, album)
  await searchWith(page, selfie)
  await questions(page)
    .first()
    .evaluate((question) => question.scrollIntoView({ block: 'center', behavior: 'instant' }))
  const { x, y, width, height } = (await yes(page).first().boundingBox())!
  const middle = [x + width / 2, y + height / 2] as const
  // The second tap comes soon on a busy machine, too.
  await page.evaluate(() => {
    const now = performance.now()
    performance.now = () => now
  })
  await tapTwice(page, middle)
  // What a second answer would have led to comes with it.
  await page.getByRole('status').getByText('Added to your photos. 1 more photo found.').waitFor()
  expect(await questions(page).count()).toBe(ASKED - 1)
  // The question under the finger is still by then.
  await page.evaluate((ms) => {
    const later = performance.now() + ms
    performance.now = () => later
  }, STILL_MS)
  await no(page).first().tap()
  await expect.poll(() => questions(page).count()).toBe(ASKED - 2)
})

test('a click without a press, as some assistive software makes it, counts', async ({
  page,
  visitor,
  album,
  selfie,
  boxes,
}) => {
  await changeAnswers(page, (answer, search) => unsureOf(answer, search, { sure: SURE, asked: ASKED, boxes }))
  await enterAsOwner(visitor, album)
  await searchWith(page, selfie)
  // A real click has 1 here, and one of the keyboard 0.
  await no(page).first().dispatchEvent('click', { detail: 1 })
  await expect.poll(() => questions(page).count()).toBe(ASKED - 1)
})

test('a confirmed photo stays when the search after it fails, and the next answer searches again', async ({
  page,
  visitor,
  clock,
  album,
  selfie,
  boxes,
}) => {
  await changeAnswers(page, (answer, search) => unsureOf(answer, search, { sure: SURE, asked: ASKED, boxes }))
  await enterAsOwner(visitor, album)
  await searchWith(page, selfie)
  await sees(page, 'Found 2 Photos!')
  await answerWith(page, SEARCH, 500, 'Something went wrong on our side. Please try again.')
  await yes(page).first().click()
  await clock.pass(1_500)
  await page.getByRole('status').getByText('Added to your photos.', { exact: true }).waitFor()
  await sees(page, 'Found 3 Photos!')
  expect(await clock.calls('search-in-album')).toHaveLength(2)
  await page.unroute(SEARCH)
  await clock.pass(STILL_MS)
  const sent = await changeAnswers(page, (answer, search) =>
    unsureOf(answer, search, { sure: SURE, asked: ASKED, boxes }),
  )
  await yes(page).first().click()
  await clock.pass(1_500)
  await sees(page, 'Found 5 Photos!')
  expect(sent.map((search) => search.confirmed)).toEqual([[faceId(0), faceId(1)]])
})
