import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { readSample } from '../../src/testing/client.ts'
import { cropFace } from '../../src/testing/sample-photos.ts'
import { type ChosenFile, enterAsGuest, enterAsOwner, searchWith, selfieOfSample1 } from './album-visits.ts'
import { boxesIn, changeAnswers } from './search-answers.ts'
import { siteTest } from './site-test.ts'
import { sees, seesToast } from './visitor.ts'

const test = siteTest()
  /** Sample 1 and a portrait of each person in it: `portrait-0.jpg` of the one with the largest face. */
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Garden Party')
    await site.fill(album, [1])
    const photo = await readSample(1)
    const boxes = await boxesIn(site.database.db, 'sample1.jpg')
    const portraits = await Promise.all(
      boxes.map(async (box, place) => ({
        name: `portrait-${place}.jpg`,
        bytes: await sharp(await cropFace(photo, box, 2))
          .jpeg()
          .toBuffer(),
      })),
    )
    await site.fill(album, portraits)
    return { ...album, boxes }
  })
  .extend('selfie', { scope: 'file' }, ({ site, album }) => album && selfieOfSample1(site))
test.beforeAll(({ selfie }) => void selfie)

/** Sample 1 as an upright phone stores it, with its pixels rotated. */
async function groupSelfie(): Promise<ChosenFile> {
  const buffer = await sharp(await readSample(1))
    .rotate(-90)
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  return { name: 'us.jpg', mimeType: 'image/jpeg', buffer }
}

const faces = (page: Page) => page.getByRole('button', { name: /^Face \d of \d, from the left$/ })
const used = (page: Page) => page.getByRole('button', { name: /^Face/, pressed: true })
const portraitsFound = (page: Page) =>
  page
    .locator('a[download^=portrait]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('download')))

test('a visitor who is not the one searched for taps their face in the selfie, and one tap searches for it', async ({
  visit,
  album,
}) => {
  const phone = await visit({ device: 'phone' })
  const { page } = phone
  await enterAsGuest(phone, album)
  await searchWith(page, await groupSelfie())
  await sees(page, 'Found 2 Photos!')
  await sees(page, 'Not you? Tap your face.')
  await faces(page).first().waitFor()
  expect(await faces(page).count()).toBe(album.boxes.length)
  expect(await portraitsFound(page)).toEqual(['portrait-0.jpg'])

  // Each outline is around its face in the upright picture.
  const picture = (await page.getByRole('img', { name: 'Your selfie' }).boundingBox())!
  expect(picture.width).toBeGreaterThan(picture.height)
  const marked = (await used(page).boundingBox())!
  const [largest] = album.boxes
  expect((marked.x + marked.width / 2 - picture.x) / picture.width).toBeCloseTo(
    largest!.left + largest!.width / 2,
    1,
  )
  expect((marked.y + marked.height / 2 - picture.y) / picture.height).toBeCloseTo(
    largest!.top + largest!.height / 2,
    1,
  )

  const other = page.getByRole('button', { name: /^Face/, pressed: false }).first()
  const { x } = (await other.boundingBox())!
  await other.tap()
  await page.locator('a[download=portrait-0\\.jpg]').waitFor({ state: 'detached' })
  await sees(page, 'Found 2 Photos!')
  const [portrait] = await portraitsFound(page)
  expect(portrait).not.toBe('portrait-0.jpg')
  await used(page).waitFor()
  expect((await used(page).boundingBox())!.x).toBeCloseTo(x, 0)
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Found 2 Photos!')
})

test('the chosen face is searched for again when the addresses are renewed, and stays chosen beside one more selfie', async ({
  page,
  visitor,
  clock,
  album,
}) => {
  const sent = await changeAnswers(page, (answer) => ({
    ...answer,
    selfies: answer.selfies.map((seen) => ({ ...seen, problems: ['BLURRED'] })),
  }))
  await enterAsOwner(visitor, album)
  await searchWith(page, await groupSelfie())
  const other = page.getByRole('button', { name: /^Face/, pressed: false }).first()
  const name = (await other.getAttribute('aria-label'))!
  await other.click()
  await page.getByRole('button', { name, pressed: true }).waitFor()
  const chosen = sent[1]!.faces
  expect(['1', '2']).toContain(chosen)
  await clock.pass(55 * 60_000)
  await expect.poll(() => sent.length).toBe(3)
  expect(sent[2]!.selfies).toBe(0)
  await page.getByRole('button', { name, pressed: true }).waitFor()

  await page.getByRole('button', { name: 'Add another selfie' }).click()
  await sees(page, 'us.jpg')
  const portrait = album.boxes[Number(chosen)]!
  const bytes = await sharp(await cropFace(await readSample(1), portrait, 1.6))
    .jpeg()
    .toBuffer()
  await searchWith(page, { name: 'me.jpg', mimeType: 'image/jpeg', buffer: bytes })
  await expect.poll(() => sent.length).toBe(4)
  expect(sent[3]).toMatchObject({ selfies: 1, faces: '0' })
  await sees(page, 'Found 2 Photos!')
})

test('a visitor who is alone in the selfie has no extra step, and a failed choice leaves the photos', async ({
  page,
  visitor,
  album,
  selfie,
}) => {
  await enterAsOwner(visitor, album)
  await searchWith(page, selfie)
  await sees(page, 'Found 2 Photos!')
  expect(await page.getByText('Not you? Tap your face.').count()).toBe(0)

  await page.getByRole('button', { name: 'Search Again' }).click()
  await searchWith(page, await groupSelfie())
  await faces(page).first().waitFor()
  await visitor.context.setOffline(true)
  await page.getByRole('button', { name: /^Face/, pressed: false }).first().click()
  await seesToast(page, 'Search failed')
  await sees(page, 'Found 2 Photos!')
  expect(await used(page).count()).toBe(1)
})
