import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { ALBUM_PROGRESS_POLL_MS, RELOAD_AFTER_COMPLETION_MS } from '../../src/contract/limits.ts'
import { sampleUploads } from '../../src/testing/client.ts'
import { waitUntil } from '../../src/testing/wait.ts'
import { enterAsGuest, enterAsOwner } from './album-visits.ts'
import { type PageClock, pausesBetween, type TimedCall } from './page-clock.ts'
import type { OwnedAlbum, Site } from './site.ts'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

// Its queues do not run until the last test.
const test = siteTest({ work: false })

const STEP_1 = 'Step 1: Uploading to the cloud'
const STEP_2 = 'Step 2: Running facial recognition algorithm'
const POLL = '/trpc/albums.progress'
const PROGRESS = `**${POLL}**`

const step = (page: Page, title: string) => page.locator('section').filter({ hasText: title })

async function upload(album: OwnedAlbum, samples: number[], totalIntendedPhotos: number): Promise<void> {
  await album.owner.uploadPhotos(album.ownerKey, await sampleUploads(samples), { totalIntendedPhotos })
}

const complete = ({ database }: Site, { albumName }: OwnedAlbum) =>
  database.db
    .updateTable('albums')
    .set({ photos_settled: 1, completed_at: new Date() })
    .where('slug', '=', albumName)
    .execute()

/** The page asks again at once instead of in two seconds. */
const nextPoll = (clock: PageClock) => clock.pass(ALBUM_PROGRESS_POLL_MS)

test('the two steps say how far an album is, from poll to poll', async ({ page, clock, visitor, site }) => {
  const album = await site.createAlbum('Garden Party')
  await enterAsOwner(visitor, album)
  await page.getByRole('heading', { level: 1, name: 'Garden Party' }).waitFor()
  await step(page, STEP_1).getByText('NOT STARTED YET').waitFor()
  await step(page, STEP_2).getByText('NOT STARTED YET').waitFor()

  await upload(album, [1], 2)
  await nextPoll(clock)
  await step(page, STEP_1).getByText('IN PROGRESS').waitFor()
  await step(page, STEP_1).getByText('1 of 2 photos uploaded', { exact: true }).waitFor()
  await step(page, STEP_2).getByText('0 of 2 photos indexed', { exact: true }).waitFor()

  await upload(album, [2], 2)
  await nextPoll(clock)
  await step(page, STEP_1).getByText('DONE').waitFor()
  await step(page, STEP_2).getByText('IN PROGRESS').waitFor()
  expect(await page.getByRole('progressbar', { name: STEP_1 }).getAttribute('aria-valuenow')).toBe('100')
})

test('the second step says how long it takes at the measured pace, and nothing during a pause', async ({
  page,
  clock,
  visitor,
  site,
}) => {
  const album = await site.createAlbum('Large Party')
  await upload(album, [1], 500)
  await enterAsOwner(visitor, album)
  await step(page, STEP_2).getByText('IN PROGRESS').waitFor()
  expect(await step(page, STEP_2).getByText(/left/).count()).toBe(0)

  const settledAt = (last_settled_at: Date) =>
    site.database.db
      .updateTable('albums')
      .set({ recently_settled: 100, recent_seconds: 150, last_settled_at })
      .where('slug', '=', album.albumName)
      .execute()
  await settledAt(new Date())
  await nextPoll(clock)
  await step(page, STEP_2).getByText('about 13 minutes left').waitFor()
  await settledAt(new Date('2025-06-20'))
  await nextPoll(clock)
  await step(page, STEP_2).getByText('minutes left').waitFor({ state: 'detached' })
})

test('a screen reader reads a change of state, and not the count that changes all the time', async ({
  page,
  visitor,
  site,
}) => {
  const album = await site.createAlbum('Quiet Party')
  await enterAsOwner(visitor, album)
  await sees(page, STEP_1)
  const spoken = await page.locator('main [role=status]').allInnerTexts()
  expect(spoken.map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual([
    `${STEP_1}: NOT STARTED YET`,
    `${STEP_2}: NOT STARTED YET`,
  ])
})

test('the organiser sees the progress of photos that were added to a complete album, and guests the search', async ({
  page,
  clock,
  visitor,
  visit,
  site,
}) => {
  const album = await site.createAlbum('Second Party')
  await upload(album, [1], 1)
  const { db } = site.database
  const settle = (photos_settled: number) =>
    db
      .updateTable('albums')
      .set({ photos_settled, completed_at: new Date() })
      .where('slug', '=', album.albumName)
      .execute()
  await settle(1)
  await upload(album, [2, 3], 2)

  await enterAsOwner(visitor, album)
  await step(page, STEP_2).getByText('1 of 3 photos indexed', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Search these photos' }).waitFor()
  await settle(2)
  await nextPoll(clock)
  await step(page, STEP_2).getByText('2 of 3 photos indexed', { exact: true }).waitFor()

  const guest = await visit()
  await enterAsGuest(guest, album)
  await guest.page.getByRole('button', { name: 'Search Photos' }).waitFor()

  await settle(3)
  await nextPoll(clock)
  await sees(page, 'Processing is complete')
  await clock.pass(RELOAD_AFTER_COMPLETION_MS)
  await page.getByRole('button', { name: 'Search Photos' }).waitFor()
})

test('one poll every two seconds serves the album page and its progress view', async ({
  page,
  clock,
  visitor,
  site,
}) => {
  const album = await site.createAlbum('Patient Party')
  await enterAsOwner(visitor, album)
  await sees(page, STEP_1)
  // Ten seconds: a second poll of the view would come in between.
  for (let poll = 1; poll <= 5; poll++) {
    await nextPoll(clock)
    await waitUntil('one more poll', async () => (await clock.calls(POLL))[poll]?.answeredAt)
  }
  for (const pause of pausesBetween(await clock.calls(POLL))) {
    expect(pause).toBeGreaterThanOrEqual(2_000)
    expect(pause).toBeLessThan(3_000)
  }
})

test('progress that fails to load is said and tried again, and comes back by itself', async ({
  page,
  clock,
  visitor,
  site,
}) => {
  const album = await site.createAlbum('Broken Party')
  await page.route(PROGRESS, (route) => route.fulfill({ status: 500, json: trpcFailure('It is on fire') }))
  await enterAsOwner(visitor, album)
  await sees(page, 'Failed to load progress: It is on fire')
  // The card stays the same element while the page asks again and again.
  await page.evaluate(() => {
    const card = document.querySelector('main [role=alert]')!
    Object.assign(window, { card })
  })
  for (let poll = 0; poll < 2; poll++) {
    const failed = page.waitForResponse((answer) => answer.status() === 500)
    await nextPoll(clock)
    await failed
  }
  expect(await page.evaluate(() => (window as { card?: Element }).card?.isConnected)).toBe(true)

  await page.unroute(PROGRESS)
  await nextPoll(clock)
  await step(page, STEP_1).getByText('NOT STARTED YET').waitFor()

  await visitor.context.setOffline(true)
  await nextPoll(clock)
  await sees(page, 'Failed to load progress: Failed to fetch progress')
  // What is known stays on the page.
  await step(page, STEP_1).getByText('NOT STARTED YET').waitFor()
  await visitor.context.setOffline(false)
  await nextPoll(clock)
  await page.getByText('Failed to load progress').waitFor({ state: 'detached' })
})

test("a proxy's error is shown with its reason", async ({ page, clock, visitor, site }) => {
  const album = await site.createAlbum('Proxied Party')
  await enterAsOwner(visitor, album)
  await sees(page, STEP_1)
  await page.route(PROGRESS, (route) =>
    route.fulfill({
      status: 502,
      contentType: 'text/html',
      body: '<html><head><title>502</title></head><body><h1>The gateway has no answer</h1></body></html>',
    }),
  )
  await nextPoll(clock)
  await sees(page, 'Failed to load progress: 502: The gateway has no answer')
})

test('the page does not reload into an error: it waits until the service answers again', async ({
  page,
  clock,
  visitor,
  site,
}) => {
  const album = await site.createAlbum('Unlucky Party')
  await upload(album, [2], 1)
  await enterAsOwner(visitor, album)
  await step(page, STEP_2).getByText('IN PROGRESS').waitFor()
  const isHead = (request: { method(): string }) => request.method() === 'HEAD'
  await page.route(`**/album/${album.albumName}`, (route) =>
    isHead(route.request()) ? route.fulfill({ status: 502 }) : route.continue(),
  )
  await complete(site, album)
  await nextPoll(clock)
  await sees(page, 'Redirecting you to the search...')
  for (const pause of [RELOAD_AFTER_COMPLETION_MS, ALBUM_PROGRESS_POLL_MS]) {
    const asked = page.waitForResponse((answer) => isHead(answer.request()))
    await clock.pass(pause)
    await asked
  }
  await sees(page, 'Redirecting you to the search...')
  await page.unroute(`**/album/${album.albumName}`)
  await clock.pass(ALBUM_PROGRESS_POLL_MS)
  await page.getByRole('button', { name: 'Search Photos' }).waitFor()
})

test('the button of the error card asks again at once', async ({ page, clock, visitor, site }) => {
  const album = await site.createAlbum('Impatient Party')
  await page.route(PROGRESS, async (route) => {
    if (await page.evaluate(() => 'isPressed' in window)) return await route.continue()
    await route.fulfill({ status: 500, json: trpcFailure('It is on fire') })
  })
  await enterAsOwner(visitor, album)
  await sees(page, 'Failed to load progress: It is on fire')
  const button = page.getByRole('button', { name: 'Try again' })
  const lastAnswer = await button.evaluate(pressSoonAfterPoll, POLL)
  await page.getByText('Failed to load progress').waitFor({ state: 'detached' })
  const calls = await clock.calls(POLL)
  const next = calls.find(({ sentAt }) => sentAt > lastAnswer)
  // A poll would come two seconds after the last answer.
  expect(next!.sentAt - lastAnswer).toBeLessThan(2_000)
})

test('the page reloads two and a half seconds after completion, not earlier and not later', async ({
  page,
  clock,
  visitor,
  site,
}) => {
  const album = await site.createAlbum('Punctual Party')
  await upload(album, [2], 1)
  await enterAsOwner(visitor, album)
  await step(page, STEP_2).getByText('IN PROGRESS').waitFor()
  await page.evaluate(() => {
    addEventListener('beforeunload', () => {
      sessionStorage.leftAt = Date.now()
      sessionStorage.calls = JSON.stringify(window.timedCalls)
    })
  })
  await complete(site, album)
  await nextPoll(clock)
  await page.getByText('Redirecting you to the search...').waitFor()
  await clock.pass(RELOAD_AFTER_COMPLETION_MS)
  await page.getByRole('button', { name: 'Search Photos' }).waitFor()
  const { leftAt, calls } = await page.evaluate(() => ({ ...sessionStorage }) as Record<string, string>)
  const polls = (JSON.parse(calls!) as TimedCall[]).filter(({ url }) => url.includes(POLL))
  const patience = Number(leftAt) - polls.at(-1)!.answeredAt!
  expect(patience).toBeGreaterThanOrEqual(2_500)
  expect(patience).toBeLessThan(3_500)
  expect(await clock.calls(POLL)).toEqual([])
})

test('completion is announced, and the page reloads about two and a half seconds later', async ({
  page,
  visitor,
  site,
}) => {
  const album = await site.createAlbum('Finished Party')
  await upload(album, [1], 1)
  await enterAsOwner(visitor, album)
  await step(page, STEP_2).getByText('IN PROGRESS').waitFor()
  // The page notes when it announces the completion, and when it goes.
  await page.evaluate(() => {
    new MutationObserver(() => {
      if (!sessionStorage.announced && document.body.innerText.includes('Redirecting you to the search...'))
        sessionStorage.announced = `${Date.now()} ${document.querySelector('main')!.innerText}`
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
    addEventListener('pagehide', () => {
      sessionStorage.gone = Date.now()
    })
  })
  await site.context.jobs.work({ ...site.context.jobDeps, siteUrl: site.url })
  await page.getByRole('button', { name: 'Search Photos' }).waitFor({ timeout: 100_000 })
  const { announced, gone } = await page.evaluate(() => ({ ...sessionStorage }) as Record<string, string>)
  expect(announced).toContain('Processing is complete')
  expect(announced!.match(/DONE/g)).toHaveLength(2)
  expect(announced).toContain('1 of 1 photos indexed')
  expect(Number(gone) - Number.parseInt(announced!, 10)).toBeGreaterThanOrEqual(2_400)
})

/** Runs in the page: presses a button less than a second after the answer to a poll, while no other is on its way.
 *  @returns when that answer came, in ms on the page's clock */
async function pressSoonAfterPoll(button: HTMLElement | SVGElement, poll: string): Promise<number> {
  const polls = () => window.timedCalls.filter(({ url }) => url.includes(poll))
  while (true) {
    const { length } = polls()
    const answeredAt = polls().at(-1)?.answeredAt ?? 0
    const isSoon = Date.now() - answeredAt < 1_000
    if (isSoon) {
      Object.assign(window, { isPressed: true })
      button.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
    // The button does nothing while the page still reads the answer. Then it is pressed again.
    if (isSoon && polls().length > length) return answeredAt
  }
}

function trpcFailure(message: string) {
  return { error: { message, code: -32603, data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500 } } }
}
