import { expect } from 'vitest'
import { SELFIE_ADVICE, type SelfieProblem } from '../../src/contract/selfie-advice.ts'
import { choose, enterAsOwner, searchWith, selfieOfSample1 } from './album-visits.ts'
import { boxesIn, changeAnswers, seenSelfie } from './search-answers.ts'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const test = siteTest()
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Garden Party')
    await site.fill(album, [1])
    return album
  })
  // Its face is that of the indexed photo.
  .extend('selfie', { scope: 'file' }, ({ site, album }) => album && selfieOfSample1(site))
test.beforeAll(({ selfie }) => void selfie)

test('a search takes up to three selfies, and says which one was left out', async ({
  page,
  visitor,
  site,
  album,
  selfie,
}) => {
  const [box] = await boxesIn(site.database.db, 'sample1.jpg')
  const sent = await changeAnswers(page, (answer) => ({
    ...answer,
    selfies: [seenSelfie([box!]), seenSelfie([box!], { isSomebodyElse: true })],
  }))
  await enterAsOwner(visitor, album)
  const more = page.getByRole('button', { name: 'Add another selfie for better results' })
  expect(await more.count()).toBe(0)
  for (const name of ['one.jpg', 'two.jpg', 'three.jpg']) {
    await choose(page, { ...selfie, name })
    await sees(page, name)
  }
  expect(await more.count()).toBe(0)
  await page.getByRole('button', { name: 'Remove three.jpg' }).press('Enter')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('two.jpg')
  await more.waitFor()
  await page.getByRole('button', { name: 'Search Photos' }).click()
  await sees(page, 'Found 1 Photo!')
  expect(sent).toMatchObject([{ selfies: 2, faces: '0,0' }])
  await sees(page, 'Your second selfie shows a different person from the first one. It was left out.')
})

test("where a second selfie in the iPhone's own format is refused, the page says how an iPhone sends JPEG", async ({
  page,
  visitor,
  album,
  selfie,
}) => {
  await enterAsOwner(visitor, album)
  await choose(page, selfie)
  await page.getByRole('button', { name: 'Add another selfie' }).waitFor()
  await choose(page, { name: 'IMG_0001.HEIC', mimeType: 'image/heic', buffer: Buffer.from('heic') })
  await page
    .getByRole('alert')
    .getByText(/Settings › Camera › Formats › Most Compatible/)
    .waitFor()
})

test('a poor selfie is answered with what to do better, also when it finds photos', async ({
  page,
  visitor,
  site,
  album,
  selfie,
}) => {
  const [box] = await boxesIn(site.database.db, 'sample1.jpg')
  const problems: SelfieProblem[][] = [['TOO_DARK', 'BLURRED'], []]
  // Each search sends one selfie: the one that is new.
  await changeAnswers(page, (answer) => ({
    ...answer,
    selfies: [seenSelfie([box!], { problems: problems.shift()! })],
  }))
  await enterAsOwner(visitor, album)
  await searchWith(page, { ...selfie, name: 'dark.jpg' })
  await sees(page, 'Found 1 Photo!')
  await sees(page, SELFIE_ADVICE.TOO_DARK)
  expect(await page.getByText(SELFIE_ADVICE.BLURRED).count()).toBe(0)
  await page.getByRole('button', { name: 'Add another selfie' }).click()
  await page.waitForFunction(() => document.activeElement?.textContent === 'dark.jpg')
  await searchWith(page, { ...selfie, name: 'bright.jpg' })
  await sees(page, 'Found 1 Photo!')
  expect(await page.getByText(SELFIE_ADVICE.TOO_DARK).count()).toBe(0)
})
