import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { showInList } from '../../src/testing/album-rows.ts'
import { enterAsOwner } from './album-visits.ts'
import type { Site } from './site.ts'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const test = siteTest({ work: false })

const VISIT = '**/trpc/albums.visit**'

/** The names of the calls that the page makes from now on. */
function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const [, call] = /\/trpc\/([\w.]+)/.exec(request.url()) ?? []
    if (call) calls.push(call)
  })
  return calls
}

/** Creates an album that the list shows. */
async function listed(site: Site, name: string): Promise<void> {
  const { albumName } = await site.createAlbum(name)
  await showInList(site.database.db, [albumName])
}

const linkTo = (page: Page, name: string) => page.getByRole('link', { name: `Find My Photos in ${name}` })
const answered = (page: Page) => page.waitForResponse((response) => response.url().includes('albums.visit'))
const gate = (page: Page) => page.getByRole('heading', { name: 'Access Album' })

test('one call brings all that an album page shows', async ({ page, visitor, site }) => {
  const album = await site.createAlbum('Garden Party')
  const calls = callsOf(page)
  await enterAsOwner(visitor, album)
  await page.getByRole('heading', { level: 1, name: 'Garden Party' }).waitFor()
  await sees(page, '0 of 0 photos indexed')
  expect(calls[0]).toBe('albums.visit')
  // Where letters go is asked for afterwards, for the end of the page, and so is the key that this browser does not have.
  const later = ['albums.progress', 'albums.letterAddress', 'albums.browserKey']
  expect(calls.filter((call) => !later.includes(call))).toEqual(['albums.visit'])
})

test('a pointer that rests on a link to an album loads what its page shows', async ({ page, site }) => {
  await listed(site, 'Lake Party')
  await page.goto('/albums')
  const [answer] = await Promise.all([answered(page), linkTo(page, 'Lake Party').hover()])
  await answer.finished()
  const calls = callsOf(page)
  await linkTo(page, 'Lake Party').click()
  await gate(page).waitFor()
  expect(calls).toEqual([])
})

test('where loading ahead fails, the page asks again', async ({ page, site }) => {
  await listed(site, 'Barn Party')
  await page.goto('/albums')
  await page.route(VISIT, (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
  await Promise.all([answered(page), linkTo(page, 'Barn Party').hover()])
  await page.unroute(VISIT)
  await linkTo(page, 'Barn Party').click()
  await gate(page).waitFor()
})

test('a pointer that rests on a link to the list loads the list', async ({ page, site }) => {
  const { albumName } = await site.createAlbum('Beach Party')
  await page.goto(`/album/${albumName}`)
  await gate(page).waitFor()
  const list = page.waitForResponse((response) => response.url().includes('albums.list'))
  await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Albums' }).hover()
  await (await list).finished()
})
