import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { cropFace, samplePath } from '../../src/testing/sample-photos.ts'
import { waitUntil } from '../../src/testing/wait.ts'
import { choose, enterAsGuest, searchWith, selfieOfSample1 } from './album-visits.ts'
import { boxesIn } from './search-answers.ts'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const test = siteTest()
  // Several people in one photo, and one of them alone in another.
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Garden Party')
    await site.fill(album, [1])
    return album
  })
  .extend('selfie', { scope: 'file' }, ({ site, album }) => album && selfieOfSample1(site))
  .extend('friend', { scope: 'file' }, async ({ site, album }) => {
    const [, box] = await boxesIn(site.database.db, 'sample1.jpg')
    const buffer = await cropFace(await readFile(samplePath(1)), box!, 1.8)
    await site.fill(album, [{ name: 'friend.png', bytes: buffer }])
    await waitUntil('the second photo', async () => {
      const { body } = await album.owner.get(`/api/albums/${album.ownerKey}/progress`)
      return body.photosIndexedToRekognition === 2
    })
    return { name: 'friend.png', mimeType: 'image/png', buffer }
  })
test.beforeAll(({ selfie, friend }) => void [selfie, friend])

const shown = (page: Page) =>
  page
    .locator('li[aria-posinset] a[download]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('download')!).toSorted())

test('a second person can be added: photos with both, or with either, and be removed again', async ({
  visitor,
  page,
  album,
  selfie,
  friend,
}) => {
  await enterAsGuest(visitor, album)
  await searchWith(page, selfie)
  await sees(page, 'Found 1 Photo!')
  await page.getByRole('button', { name: 'Find photos with somebody else, too' }).click()
  await sees(page, 'Drop their selfie here')
  await choose(page, friend)
  await page.getByRole('button', { name: 'Search for both' }).click()
  await sees(page, 'Found 1 Photo with both of you!')
  expect(await shown(page)).toEqual(['sample1.jpg'])
  expect(await page.getByRole('radio', { name: 'With both' }).isChecked()).toBe(true)

  await page.getByText('With either', { exact: true }).click()
  await sees(page, 'Found 2 Photos with either of you!')
  expect(await shown(page)).toEqual(['friend.png', 'sample1.jpg'])

  await page.getByRole('button', { name: 'Remove the second person' }).click()
  await sees(page, 'Found 1 Photo!')
  await page.getByRole('button', { name: 'Find photos with somebody else, too' }).waitFor()
})

test('two people who are never together see that, and the way to photos with either', async ({
  visitor,
  page,
  album,
  selfie,
}) => {
  await enterAsGuest(visitor, album)
  await searchWith(page, selfie)
  await sees(page, 'Found 1 Photo!')
  await page.getByRole('button', { name: 'Find photos with somebody else, too' }).click()
  // One face is one person.
  await choose(page, selfie)
  await page.getByRole('button', { name: 'Search for both' }).click()
  await sees(page, 'No Photos with Both of You')
  await page.getByText('With either', { exact: true }).click()
  await sees(page, 'Found 1 Photo with either of you!')
})
