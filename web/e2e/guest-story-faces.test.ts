import sharp from 'sharp'
import { expect } from 'vitest'
import { SELFIE_ADVICE } from '../../src/contract/selfie-advice.ts'
import { readSample } from '../../src/testing/client.ts'
import { cropFace } from '../../src/testing/sample-photos.ts'
import { choose, enterAsGuest, searchAsGuest, selfieOfSample1 } from './album-visits.ts'
import { expectNoAxeFault } from './axe.ts'
import { boxesIn, changeAnswers, seenSelfie } from './search-answers.ts'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const test = siteTest()
  // Guests come with a phone.
  .extend('visitor', ({ visit }) => visit({ device: 'phone' }))
  /** Sample 1 and a portrait of each person in it: `portrait-0.jpg` of the one with the largest face. */
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Garden Party')
    await site.fill(album, [1])
    const photo = await readSample(1)
    const boxes = await boxesIn(site.database.db, 'sample1.jpg')
    const portraits = boxes.map(async (box, place) => ({
      name: `portrait-${place}.jpg`,
      bytes: await sharp(await cropFace(photo, box, 2))
        .jpeg()
        .toBuffer(),
    }))
    await site.fill(album, await Promise.all(portraits))
    return { ...album, boxes }
  })
  // Its face is that of the indexed photo.
  .extend('selfie', { scope: 'file' }, ({ site, album }) => album && selfieOfSample1(site))
test.beforeAll(({ selfie }) => void selfie)

/** Sample 1 as an upright phone stores it, with its pixels rotated. */
async function groupSelfie() {
  const buffer = await sharp(await readSample(1))
    .rotate(-90)
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  return { name: 'us.jpg', mimeType: 'image/jpeg', buffer }
}

test('a search takes up to three selfies, and says which one was left out and what to do better', async ({
  visitor,
  page,
  album,
  selfie,
}) => {
  const [box] = album.boxes
  const dark = seenSelfie([box!], { problems: ['TOO_DARK', 'BLURRED'] })
  const answers = [[dark, seenSelfie([box!], { problems: ['TOO_DARK'], isSomebodyElse: true })], [dark]]
  const sent = await changeAnswers(page, (answer) => ({ ...answer, selfies: answers.shift()! }))
  await enterAsGuest(visitor, album)
  const more = page.getByRole('button', { name: 'Add another selfie for better results' })
  expect(await more.count()).toBe(0)
  for (const name of ['one.jpg', 'two.jpg', 'three.jpg']) {
    await choose(page, { ...selfie, name })
    await sees(page, name)
  }
  expect(await more.count()).toBe(0)
  await expectNoAxeFault(page)
  await page.getByRole('button', { name: 'Remove three.jpg' }).press('Enter')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('two.jpg')
  await more.waitFor()
  await page.getByRole('button', { name: 'Search Photos' }).tap()
  await sees(page, 'Found 2 Photos!')
  expect(sent).toMatchObject([{ selfies: 2, faces: '0,0' }])
  await sees(page, 'Your second selfie shows a different person from the first one. It was left out.')
  await sees(page, SELFIE_ADVICE.TOO_DARK)
  await expectNoAxeFault(page)
  expect(await page.getByText(SELFIE_ADVICE.BLURRED).count()).toBe(0)
  await page.getByRole('button', { name: 'Add another selfie' }).tap()
  await page.waitForFunction(() => document.activeElement?.textContent === 'two.jpg')
})

test('a guest who is not the one searched for taps their face in the selfie, and one tap searches for it', async ({
  visitor,
  page,
  album,
}) => {
  const faces = page.getByRole('button', { name: /^Face \d of \d, from the left$/ })
  const used = page.getByRole('button', { name: /^Face/, pressed: true })
  const portraitsFound = () =>
    page
      .locator('a[download^=portrait]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('download')))
  await searchAsGuest(visitor, album, await groupSelfie())
  await sees(page, 'Found 2 Photos!')
  await sees(page, 'Not you? Tap your face.')
  await faces.first().waitFor()
  expect(await faces.count()).toBe(album.boxes.length)
  expect(await portraitsFound()).toEqual(['portrait-0.jpg'])
  await expectNoAxeFault(page)

  // Each outline is around its face in the upright picture.
  const picture = (await page.getByRole('img', { name: 'Your selfie' }).boundingBox())!
  expect(picture.width).toBeGreaterThan(picture.height)
  const marked = (await used.boundingBox())!
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
  const name = (await other.getAttribute('aria-label'))!
  // The selfie has been searched with.
  await album.owner.post(`/api/albums/${album.ownerKey}/settings`, { consentTick: 'on' })
  await other.tap()
  await page.locator('a[download=portrait-0\\.jpg]').waitFor({ state: 'detached' })
  await sees(page, 'Found 2 Photos!')
  const [portrait] = await portraitsFound()
  expect(['portrait-1.jpg', 'portrait-2.jpg']).toContain(portrait)
  await page.getByRole('button', { name, pressed: true }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Found 2 Photos!')
})
