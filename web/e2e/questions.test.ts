import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { cropFace, samplePath } from '../../src/testing/sample-photos.ts'
import { waitUntil } from '../../src/testing/wait.ts'
import { albumTest } from './album-test.ts'
import { choose, searchAsGuest } from './album-visits.ts'
import { expectNoAxeFault } from './axe.ts'
import { installClock } from './page-clock.ts'
import { boxesIn, changeAnswers, faceId, unsureOf } from './search-answers.ts'
import { tapTwice } from './touch.ts'
import { holdBack, sees } from './visitor.ts'

const SEARCH = '**/api/search-in-album'
const SURE = 2
const ASKED = 4
/** Ms from the last answer to the next search. */
const REPEATED_AFTER = 1_500

const test = albumTest({ copies: 7 })
  // Guests come with a phone.
  .extend('visitor', ({ visit }) => visit({ device: 'phone' }))
  .extend('boxes', { scope: 'file' }, ({ site, album }) => album && boxesIn(site.database.db, 'sample1.jpg'))
  /** One of the people in the album, alone in a photo of it. */
  .extend('friend', { scope: 'file' }, async ({ site, album, boxes }) => {
    const buffer = await cropFace(await readFile(samplePath(1)), boxes[1]!, 1.8)
    await site.fill(album, [{ name: 'friend.png', bytes: buffer }])
    await waitUntil('the last photo', async () => {
      const { body } = await album.owner.get(`/api/albums/${album.ownerKey}/progress`)
      return body.photosIndexedToRekognition === 9
    })
    return { name: 'friend.png', mimeType: 'image/png', buffer }
  })
test.beforeAll(({ friend }) => void friend)

const questions = (page: Page) => page.getByRole('group', { name: /^Is this you in/ })
const yes = (page: Page) => page.getByRole('button', { name: "Yes, that's me" })
const no = (page: Page) => page.getByRole('button', { name: 'No', exact: true })
const undo = (page: Page) => page.getByRole('button', { name: 'Undo' })
const says = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor()
/** The names of the photos in the grid, in order. */
const photosShown = (page: Page) =>
  page
    .locator('li[aria-posinset] a[download]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('download')))
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

test('a confirmed photo is added at once, and those that it leads to soon after, while the page stays where it is', async ({
  visitor,
  page,
  clock,
  album,
  selfie,
  boxes,
}) => {
  const sent = await changeAnswers(page, (answer, search) =>
    unsureOf(answer, search, { sure: SURE, asked: ASKED, boxes }),
  )
  await searchAsGuest(visitor, album, selfie)
  await sees(page, 'Found 2 Photos!')
  await page.getByRole('heading', { name: 'Are you in these, too?' }).waitFor()
  expect(await questions(page).count()).toBe(4)
  await expectNoAxeFault(page)
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
  await says(page, 'Added to your photos. Searching for more of them...')
  expect(await questions(page).count()).toBe(3)
  const confirmed = /in (.+)\? Question/.exec(asked!)![1]
  expect(await photosShown(page)).toEqual([...before, confirmed])
  // One row more is above the questions, and the next one is where the last one was.
  expect((await questions(page).first().boundingBox())!.y).toBeCloseTo(y, 0)
  expect(await focusedText(page)).toContain('Question 1 of 3')

  await clock.pass(REPEATED_AFTER)
  letGo()
  await says(page, 'Added to your photos. 1 more photo found.')
  await expectNoAxeFault(page)
  await sees(page, 'Found 4 Photos!')
  expect((await photosShown(page)).slice(0, 3)).toEqual([...before, confirmed])
  // Pages scroll by whole pixels, so each of the two changes may be off by half a one.
  expect(Math.abs((await questions(page).first().boundingBox())!.y - y)).toBeLessThanOrEqual(1)
  expect(await focusedText(page)).toContain('Question 1 of 3')
  expect(sent.map((search) => search.confirmed)).toEqual([[], [faceId(0)]])
})

test('by keyboard: an answer leads to the next question, the last one can be taken back, and all are sent when the addresses are renewed', async ({
  visit,
  album,
  selfie,
  boxes,
}) => {
  const visitor = await visit()
  const { page } = visitor
  const clock = await installClock(page)
  const sent = await changeAnswers(page, (answer, search) =>
    unsureOf(answer, search, { sure: SURE, asked: 2, boxes }),
  )
  await searchAsGuest(visitor, album, selfie)
  await no(page).first().press('Enter')
  await says(page, 'This photo is left out.')
  expect(await focusedText(page)).toContain('Question 1 of 1')
  await page.keyboard.press('Shift+Tab')
  expect(await focusedText(page)).toBe('Undo')
  await page.keyboard.press('Enter')
  expect(await focusedText(page)).toContain('Question 1 of 2')
  expect(await undo(page).count()).toBe(0)
  await yes(page).last().press('Enter')
  await clock.pass(REPEATED_AFTER)
  await says(page, 'Added to your photos. 1 more photo found.')
  await no(page).press('Enter')
  await says(page, 'This photo is left out. That was the last one.')
  expect(await focusedText(page)).toContain('This photo is left out.')

  await clock.pass(55 * 60_000)
  await expect.poll(() => sent.length).toBe(3)
  expect(sent[2]).toMatchObject({ confirmed: [faceId(1)], rejected: [faceId(0)] })
})

test('when no photo is surely of the guest, the page asks, and a double tap answers one question', async ({
  visitor,
  page,
  album,
  selfie,
  boxes,
}) => {
  await changeAnswers(page, (answer, search) => unsureOf(answer, search, { sure: 0, asked: 3, boxes }))
  await searchAsGuest(visitor, album, selfie)
  await page.getByRole('heading', { name: 'We are not sure. Are you in these?' }).waitFor()
  expect(await focusedText(page)).toBe('We are not sure. Are you in these?')
  await page.getByRole('button', { name: 'Search Again' }).waitFor()
  expect(await page.getByText('No Photos Found').count()).toBe(0)
  const faces = page.getByRole('img', { name: 'The face in question' })
  const isDrawn = (place: number) =>
    faces.nth(place).evaluate((image: HTMLImageElement) => image.naturalWidth > 0)
  await expect.poll(() => isDrawn(0)).toBe(true)
  expect(await faces.last().getAttribute('loading')).toBe('lazy')

  await questions(page)
    .first()
    .evaluate((question) => question.scrollIntoView({ block: 'center', behavior: 'instant' }))
  const { x, y, width, height } = (await no(page).first().boundingBox())!
  // The next question has slid under the finger when the second tap comes.
  await tapTwice(page, [x + width / 2, y + height / 2])
  await expect.poll(() => questions(page).count()).toBe(2)
  await no(page).last().tap()
  await expect.poll(() => questions(page).count()).toBe(1)
  // Some assistive software clicks without a press. A real click has 1 here, and one of the keyboard 0.
  await no(page).first().dispatchEvent('click', { detail: 1 })
  await page.getByRole('heading', { name: 'No Photos Found' }).waitFor()
})

test('a second person can be added: photos with both, or with either, and be removed again', async ({
  visitor,
  page,
  album,
  selfie,
  friend,
}) => {
  const addPerson = page.getByText('Find photos with somebody else, too')
  const forBoth = page.getByRole('button', { name: 'Search for both' })
  await searchAsGuest(visitor, album, selfie)
  await sees(page, 'Found 8 Photos!')
  await addPerson.tap()
  await sees(page, 'Drop their selfie here')
  await expectNoAxeFault(page)
  await choose(page, friend)
  await forBoth.tap()
  await sees(page, 'Found 8 Photos with both of you!')
  expect(await photosShown(page)).not.toContain('friend.png')
  expect(await page.getByRole('radio', { name: 'With both' }).isChecked()).toBe(true)
  await page.getByText('With either', { exact: true }).tap()
  await sees(page, 'Found 9 Photos with either of you!')
  await expectNoAxeFault(page)
  expect(await photosShown(page)).toContain('friend.png')
  await page.getByRole('button', { name: 'Remove the second person' }).tap()
  await sees(page, 'Found 8 Photos!')

  await addPerson.tap()
  // One face is one person, so these two are never together.
  await choose(page, selfie)
  await forBoth.tap()
  await sees(page, 'No Photos with Both of You')
  await page.getByText('With either', { exact: true }).tap()
  await sees(page, 'Found 8 Photos with either of you!')
})
