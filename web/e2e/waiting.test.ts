import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { ALBUM_PROGRESS_POLL_MS, RELOAD_AFTER_COMPLETION_MS } from '../../src/contract/limits.ts'
import { databaseUnavailable } from '../../src/database/faults.ts'
import type { AppError } from '../../src/errors.ts'
import { manySearches } from '../../src/http/selfies.ts'
import { indexPhotos } from '../../src/jobs/index-photos.ts'
import { readSample, type Upload } from '../../src/testing/client.ts'
import { selfieFrom } from '../../src/testing/selfie.ts'
import { type ChosenFile, enterAsGuest, enterAsOwner, searchWith, variants } from './album-visits.ts'
import { expectNoAxeFault } from './axe.ts'
import type { PageClock } from './page-clock.ts'
import { refusal } from './refusals.ts'
import type { OwnedAlbum, Site } from './site.ts'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const PHOTOS = 3
const PROGRESS = '/trpc/albums.progress'
const SEARCH = '/api/search-in-album'
const STEP_1 = 'Step 1: Uploading to the cloud'
const STEP_2 = 'Step 2: Running facial recognition algorithm'

// Its queues do not run: a photo is indexed when a test says so.
const test = siteTest({ work: false, selfieWaitMs: 20_000 })
  // Guests come with a phone.
  .extend('visitor', ({ visit }) => visit({ device: 'phone' }))
  .extend('photos', { scope: 'file' }, async () => await variants(await readSample(1), PHOTOS))

/** Finds the faces in one more photo of an album, as its job does. */
async function indexOne(site: Site, { albumName }: OwnedAlbum): Promise<void> {
  const { id } = await site.database.db
    .selectFrom('photos')
    .innerJoin('albums', 'albums.id', 'photos.album_id')
    .select('photos.id')
    .where('slug', '=', albumName)
    .where('photos.state', '=', 'stored')
    .orderBy('photos.filename')
    .limit(1)
    .executeTakeFirstOrThrow()
  await indexPhotos.run(site.context, { photoId: id }, { attempt: 1 })
}

/** The page asks again at once instead of in two seconds. */
const nextPoll = (clock: PageClock) => clock.pass(ALBUM_PROGRESS_POLL_MS)

/** A face of the first photo, which has to be indexed. */
async function selfieOf(site: Site, photos: Upload[]): Promise<ChosenFile> {
  const { name, bytes } = photos[0]!
  const buffer = await selfieFrom(site.database.db, name, bytes)
  return { name: 'me.jpg', mimeType: 'image/jpeg', buffer }
}

const step = (page: Page, title: string) => page.locator('section').filter({ hasText: title })
/** Waits until a step says this. A screen reader reads it, and not the count that changes all the time. */
const isAt = (page: Page, title: string, state: string) =>
  step(page, title).getByRole('status').getByText(state).waitFor()

test('a guest sees how far an album is, searches the photos that are ready, and then those that were added', async ({
  visitor,
  page,
  clock,
  site,
  photos,
}) => {
  const album = await site.createAlbum('Marathon')
  const upload = (from: number, to: number) =>
    album.owner.uploadPhotos(album.ownerKey, photos.slice(from, to), { totalIntendedPhotos: PHOTOS })
  await enterAsGuest(visitor, album)
  await isAt(page, STEP_2, 'NOT STARTED YET')
  await upload(0, 1)
  await nextPoll(clock)
  await isAt(page, STEP_1, 'IN PROGRESS')
  await step(page, STEP_1).getByText('1 of 3 photos uploaded', { exact: true }).waitFor()
  await step(page, STEP_2).getByText('0 of 3 photos indexed', { exact: true }).waitFor()
  await sees(page, 'The album is being prepared.')
  expect(await page.getByRole('button', { name: 'Search these photos' }).count()).toBe(0)
  await expectNoAxeFault(page)
  await upload(1, 3)
  await nextPoll(clock)
  await isAt(page, STEP_1, 'DONE')
  await isAt(page, STEP_2, 'IN PROGRESS')
  expect(await page.getByRole('progressbar', { name: STEP_1 }).getAttribute('aria-valuenow')).toBe('100')

  await page.route(`**${PROGRESS}**`, async (route) => {
    const response = await route.fetch()
    const { result } = await response.json()
    const data = { ...result.data, photosPerMinute: 264.5, secondsLeft: 718 }
    await route.fulfill({ response, json: { result: { data } } })
  })
  await nextPoll(clock)
  await sees(page, 'about 12 minutes left')
  await page.unroute(`**${PROGRESS}**`)

  // What is known stays on the page while a proxy refuses the polls.
  const title = '<html><head><title>502</title></head><body><h1>The gateway has no answer</h1></body></html>'
  const refused = { status: 502, contentType: 'text/html', body: title }
  await page.route(`**${PROGRESS}**`, (route) => route.fulfill(refused))
  await nextPoll(clock)
  const failure = page.getByText('Failed to load progress: 502: The gateway has no answer')
  await failure.waitFor()
  await expectNoAxeFault(page)
  await isAt(page, STEP_1, 'DONE')
  await page.unroute(`**${PROGRESS}**`)
  await nextPoll(clock)
  await failure.waitFor({ state: 'detached' })

  await indexOne(site, album)
  await nextPoll(clock)
  await sees(page, '1 of 3 photos so far.')
  await page.getByRole('button', { name: 'Search these photos' }).tap()
  await sees(page, '1 of 3 photos so far. The others are being prepared.')
  await expectNoAxeFault(page)
  expect(await page.getByRole('progressbar').count()).toBe(0)

  await searchWith(page, await selfieOf(site, photos))
  await sees(page, 'Found 1 Photo!')
  await sees(page, 'This search covered 1 of 3 photos. The others are being prepared.')
  await indexOne(site, album)
  await nextPoll(clock)
  await page.getByRole('button', { name: 'Search 1 more' }).tap()
  await sees(page, 'Found 2 Photos!')
  await sees(page, 'This search covered 2 of 3 photos. The others are being prepared.')
  await indexOne(site, album)
  await nextPoll(clock)
  await page.getByRole('button', { name: 'Search 1 more' }).tap()
  await sees(page, 'Found 3 Photos!')
  await page.getByText(/^This search covered/).waitFor({ state: 'detached' })
})

test('the page reloads when the album is complete, which stays searchable while photos are added', async ({
  visitor,
  page,
  clock,
  site,
  photos,
}) => {
  const album = await site.createAlbum('Second Party')
  const upload = (from: number, to: number) =>
    album.owner.uploadPhotos(album.ownerKey, photos.slice(from, to), { totalIntendedPhotos: to - from })
  await upload(0, 1)
  await enterAsOwner(visitor, album)
  await step(page, STEP_2).getByText('0 of 1 photos indexed', { exact: true }).waitFor()
  await indexOne(site, album)
  await nextPoll(clock)
  await sees(page, 'Redirecting you to the search...')
  await upload(1, 3)
  await clock.pass(RELOAD_AFTER_COMPLETION_MS)
  await page.getByRole('button', { name: 'Search Photos' }).waitFor()
})

test('when the service asks for a moment, the page says why and how long, and searches again by itself, unless the guest cancels', async ({
  visitor,
  page,
  clock,
  site,
  photos,
}) => {
  const album = await site.createAlbum('Garden Party')
  await album.owner.uploadPhotos(album.ownerKey, photos.slice(0, 1), { totalIntendedPhotos: 1 })
  await indexOne(site, album)
  await enterAsGuest(visitor, album)
  const asks: [error: AppError, seconds: number, why: string][] = [
    // While many search, a guest waits longer than the page waits for anything else.
    [manySearches(), 100, 'Many guests are searching for their photos at the moment.'],
    [databaseUnavailable(), 30, 'The service cannot search at the moment.'],
  ]
  const left = [asks[0]!, ...asks]
  await page.route(`**${SEARCH}`, (route) => {
    const [ask] = left.splice(0, 1)
    return ask ? route.fulfill(refusal(ask[0], ask[1])) : route.continue()
  })
  await searchWith(page, await selfieOf(site, photos))
  await page.getByRole('button', { name: 'Cancel' }).tap()
  await page.getByText(/This page tries again by itself/).waitFor({ state: 'detached' })
  await sees(page, 'me.jpg')
  // The keyboard is on the button.
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('Search Photos'))
  await clock.pass(101_000)
  expect(await clock.calls(SEARCH)).toHaveLength(1)
  expect(await page.getByText('Search failed').count()).toBe(0)

  await page.keyboard.press('Enter')
  for (const [, seconds, why] of asks) {
    await page
      .getByRole('status')
      .getByText(new RegExp(`^${why} This page tries again by itself in`))
      .waitFor()
    expect(await page.getByRole('button', { name: 'Searching...' }).isDisabled()).toBe(true)
    await sees(page, 'me.jpg')
    if (seconds === 100) await expectNoAxeFault(page)
    await clock.pass(seconds * 1_000)
  }
  await sees(page, 'Found 1 Photo!')
  expect(await clock.calls(SEARCH)).toHaveLength(4)

  // A proxy answers while the service starts again.
  await page.route(`**${SEARCH}`, (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }))
  await page.getByRole('button', { name: 'Search Again' }).tap()
  await searchWith(page, await selfieOf(site, photos))
  await page.getByRole('button', { name: 'Cancel' }).tap()
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('Search Photos'))
})
