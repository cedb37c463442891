import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { SEARCH_ENDED, SEARCH_OF_FORMER_PASSWORD } from '../../src/contract/wording.ts'
import {
  addCopies,
  anotherSelfie,
  enterAsGuest,
  givePassword,
  searchWith,
  selfieOfSample1,
} from './album-visits.ts'
import { changeAnswers } from './search-answers.ts'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const SEARCH = '**/api/search-in-album'

const test = siteTest()
  /** Sample 1 and two copies of it. */
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Garden Party')
    await site.fill(album, [1])
    await addCopies(site, album, 2)
    return album
  })
  .extend('selfie', { scope: 'file' }, async ({ site, album }) =>
    anotherSelfie(album && (await selfieOfSample1(site))),
  )
test.beforeAll(({ selfie }) => void selfie)

/** The selfies of each search so far. */
async function selfiesSent(page: Page): Promise<() => number[]> {
  const sent = await changeAnswers(page, (answer) => answer)
  return () => sent.map(({ selfies }) => selfies)
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const searchForm = (page: Page) => button(page, 'Search Photos')

test('a reload and a way back keep the results, without the selfie', async ({
  page,
  visitor,
  album,
  selfie,
}) => {
  const sent = await selfiesSent(page)
  await enterAsGuest(visitor, album)
  await searchWith(page, selfie)
  await sees(page, 'Found 3 Photos!')
  await page.reload()
  await sees(page, 'Found 3 Photos!')
  expect(sent()).toEqual([1, 0])
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain(selfie.name)

  await page.locator('#content').getByRole('link', { name: 'Privacy', exact: true }).click()
  await page.getByRole('heading', { name: 'Privacy Policy' }).waitFor()
  await page.goBack()
  await sees(page, 'Found 3 Photos!')

  await page
    .getByRole('link', { name: /^Open / })
    .first()
    .click()
  await page.getByRole('dialog').waitFor()
  await page.reload()
  await sees(page, 'Found 3 Photos!')
  await page.goBack()
  await page.waitForFunction(() => history.state.openPhoto === undefined)
  await sees(page, 'Found 3 Photos!')

  await button(page, 'Search Again').click()
  await page.reload()
  await searchForm(page).waitFor()
  expect(await page.getByText('Found 3 Photos!').count()).toBe(0)
})

test('a look at all photos does not bring back results that the visitor has left', async ({
  page,
  visitor,
  album,
  selfie,
}) => {
  await album.owner.post(`/api/albums/${album.ownerKey}/settings`, { browsing: 'on' })
  const sent = await selfiesSent(page)
  const lookAtAll = async () => {
    await page.getByRole('link', { name: 'Browse all photos' }).click()
    await page.getByRole('heading', { name: 'All 3 photos' }).waitFor()
    await page.goBack()
    await searchForm(page).waitFor()
  }
  await enterAsGuest(visitor, album)
  await searchWith(page, selfie)
  await sees(page, 'Found 3 Photos!')
  await page.reload()
  await sees(page, 'Found 3 Photos!')
  await button(page, 'Search Again').click()
  await lookAtAll()
  await searchWith(page, selfie)
  await button(page, /^Remember me on this/).click()
  await button(page, 'Forget me').waitFor()
  await page.evaluate(() => sessionStorage.clear())
  await page.reload()
  await sees(page, 'Your photos, nothing new since your last visit')
  await button(page, 'Search Again').click()
  await lookAtAll()
  await searchWith(page, selfie)
  await expect.poll(sent).toEqual([1, 0, 1, 0, 0, 1])
})

test('what follows a search does not send its selfie again', async ({ page, visitor, album, selfie }) => {
  const sent = await selfiesSent(page)
  await enterAsGuest(visitor, album)
  await searchWith(page, selfie)
  await sees(page, 'Found 3 Photos!')
  await button(page, /^Remember me on this/).click()
  await button(page, 'Forget me').waitFor()
  expect(sent()).toEqual([1, 0])
})

test('after the hour the page says why, and offers the search', async ({ page, visitor, album, selfie }) => {
  await enterAsGuest(visitor, album)
  await searchWith(page, selfie)
  await sees(page, 'Found 3 Photos!')
  await page.route(SEARCH, (route) =>
    route.fulfill({
      status: 403,
      json: { message: SEARCH_ENDED, error: SEARCH_ENDED, code: 'FORBIDDEN' },
    }),
  )
  await page.reload()
  await sees(page, SEARCH_ENDED)
  await searchForm(page).waitFor()
  await page.unroute(SEARCH)
  // It is said once.
  await page.reload()
  await searchForm(page).waitFor()
  expect(await page.getByText(SEARCH_ENDED).count()).toBe(0)
  await searchWith(page, selfie)
  await sees(page, 'Found 3 Photos!')
})

test('after a change of the password the page says why the results are gone', async ({
  page,
  visitor,
  album,
  selfie,
}) => {
  await enterAsGuest(visitor, album)
  await searchWith(page, selfie)
  await sees(page, 'Found 3 Photos!')
  const { body } = await album.owner.post(`/api/albums/${album.ownerKey}/password`, {})
  await page.reload()
  await givePassword(page, body.albumPassword)
  await sees(page, SEARCH_OF_FORMER_PASSWORD)
  await searchForm(page).waitFor()
})
