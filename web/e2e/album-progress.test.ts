import type { Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { sampleUploads } from '../../src/testing/client.ts'
import { waitUntil } from '../../src/testing/wait.ts'
import { enterAsOwner } from './album-visits.ts'
import { openSite, page, site, visitInEachTest, visitor } from './open-site.ts'
import type { OwnedAlbum } from './site.ts'
import { holdBack, sees } from './visitor.ts'

// Its queues do not run until the last test.
openSite({ work: false })
visitInEachTest()

const STEP_1 = 'Step 1: Uploading to the cloud'
const STEP_2 = 'Step 2: Running facial recognition algorithm'
const PROGRESS = '**/trpc/albums.progress**'

const step = (title: string) => page.locator('section').filter({ hasText: title })

async function upload(album: OwnedAlbum, samples: number[], totalIntendedPhotos: number): Promise<void> {
  await album.owner.uploadPhotos(album.ownerKey, await sampleUploads(samples), { totalIntendedPhotos })
}

test('the two steps say how far an album is, from poll to poll', async () => {
  const album = await site.createAlbum('Garden Party')
  await enterAsOwner(visitor, album)
  await page.getByRole('heading', { level: 1, name: 'Garden Party' }).waitFor()
  await step(STEP_1).getByText('NOT STARTED YET').waitFor()
  await step(STEP_2).getByText('NOT STARTED YET').waitFor()

  await upload(album, [1], 2)
  await step(STEP_1).getByText('IN PROGRESS').waitFor()
  await step(STEP_1).getByText('1 of 2 photos uploaded', { exact: true }).waitFor()
  await step(STEP_2).getByText('0 of 2 photos indexed', { exact: true }).waitFor()

  await upload(album, [2], 2)
  await step(STEP_1).getByText('DONE').waitFor()
  await step(STEP_2).getByText('IN PROGRESS').waitFor()
  expect(await page.getByRole('progressbar', { name: STEP_1 }).getAttribute('aria-valuenow')).toBe('100')
})

test('a screen reader reads a change of state, and not the count that changes all the time', async () => {
  const album = await site.createAlbum('Quiet Party')
  await enterAsOwner(visitor, album)
  await sees(page, STEP_1)
  const spoken = await page.locator('main [role=status]').allInnerTexts()
  expect(spoken.map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual([
    `${STEP_1}: NOT STARTED YET`,
    `${STEP_2}: NOT STARTED YET`,
  ])
})

test('one poll every two seconds serves the album page and its progress view', async () => {
  const album = await site.createAlbum('Patient Party')
  const polls = countPolls()
  await page.clock.install()
  const { held, letGo } = await holdBack(page, PROGRESS)
  await enterAsOwner(visitor, album)
  await sees(page, STEP_1)
  // Answered while the clock is paused, the first poll starts the two seconds.
  await held
  await pauseClock()
  letGo()
  await polls.answeredAll()
  const before = polls.asked
  // Ten seconds: a second poll of the view would be the sixth call.
  for (let poll = 1; poll <= 5; poll++) {
    await page.clock.runFor(1_900)
    expect(polls.asked - before).toBe(poll - 1)
    await page.clock.runFor(100)
    await waitUntil('the poll to be answered', async () => polls.answered - before === poll)
  }
})

test('progress that fails to load is said and tried again, and comes back by itself', async () => {
  const album = await site.createAlbum('Broken Party')
  await page.route(PROGRESS, (route) => route.fulfill({ status: 500, json: trpcFailure('It is on fire') }))
  await enterAsOwner(visitor, album)
  await sees(page, 'Failed to load progress: It is on fire')
  // The card stays the same element while the page asks again and again.
  await page.evaluate(() => {
    const card = document.querySelector('main [role=alert]')!
    Object.assign(window, { card })
  })
  for (let poll = 0; poll < 2; poll++) await page.waitForResponse((answer) => answer.status() === 500)
  expect(await page.evaluate(() => (window as { card?: Element }).card?.isConnected)).toBe(true)

  await page.unroute(PROGRESS)
  await step(STEP_1).getByText('NOT STARTED YET').waitFor()

  await visitor.context.setOffline(true)
  await sees(page, 'Failed to load progress: Failed to fetch progress')
  // What is known stays on the page.
  await step(STEP_1).getByText('NOT STARTED YET').waitFor()
  await visitor.context.setOffline(false)
  await page.getByText('Failed to load progress').waitFor({ state: 'detached' })
})

test('the button of the error card asks again at once', async () => {
  const album = await site.createAlbum('Impatient Party')
  const polls = countPolls()
  await page.clock.install()
  await page.route(PROGRESS, (route) => route.fulfill({ status: 500, json: trpcFailure('It is on fire') }))
  await enterAsOwner(visitor, album)
  await sees(page, 'Failed to load progress: It is on fire')
  await pauseClock()
  await polls.answeredAll()
  await page.unroute(PROGRESS)
  // While the clock is paused, only the button can ask.
  const answered = page.waitForResponse((response) => response.url().includes('albums.progress'))
  await page.getByRole('button', { name: 'Try again' }).click()
  expect((await answered).status()).toBe(200)
  await page.clock.resume()
  await page.getByText('Failed to load progress').waitFor({ state: 'detached' })
})

test('the page reloads two and a half seconds after completion, not earlier and not later', async () => {
  const album = await site.createAlbum('Punctual Party')
  await upload(album, [2], 1)
  await page.clock.install()
  const { held, letGo } = await holdBack(page, PROGRESS)
  await enterAsOwner(visitor, album)
  await step(STEP_2).getByText('IN PROGRESS').waitFor()
  await held
  await site.database.db
    .updateTable('albums')
    .set({ completed_at: new Date() })
    .where('slug', '=', album.albumName)
    .execute()
  // The poll has arrived, and is the last one: it is answered while the clock is paused.
  await pauseClock()
  letGo()
  // The answer is shown by a timer, too: some 10 ms on the page's clock until then.
  await waitUntil('the completion to be announced', async () => {
    await page.clock.runFor(10)
    return (await page.getByText('Processing is complete').count()) === 1
  })
  let reloads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) reloads++
  })
  await page.clock.runFor(2_400)
  expect(reloads).toBe(0)
  await page.clock.runFor(200)
  await waitUntil('the page to reload', async () => reloads === 1)
  await page.clock.resume()
  await page.getByRole('button', { name: 'Search Photos' }).waitFor()
})

test('completion is announced, and the page reloads about two and a half seconds later', async () => {
  const album = await site.createAlbum('Finished Party')
  await upload(album, [1], 1)
  await enterAsOwner(visitor, album)
  await step(STEP_2).getByText('IN PROGRESS').waitFor()
  // The page notes when it announces the completion, and when it goes.
  await page.evaluate(() => {
    new MutationObserver(() => {
      if (!sessionStorage.told && document.body.innerText.includes('Redirecting you to the search…'))
        sessionStorage.told = `${Date.now()} ${document.querySelector('main')!.innerText}`
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
    addEventListener('pagehide', () => {
      sessionStorage.gone = Date.now()
    })
  })
  await site.context.jobs.work({ ...site.context.jobDeps, siteUrl: site.url })
  await page.getByRole('button', { name: 'Search Photos' }).waitFor({ timeout: 100_000 })
  const { told, gone } = await page.evaluate(() => ({ ...sessionStorage }) as Record<string, string>)
  expect(told).toContain('Processing is complete')
  expect(told!.match(/DONE/g)).toHaveLength(2)
  expect(told).toContain('1 of 1 photos indexed')
  expect(Number(gone) - Number.parseInt(told!, 10)).toBeGreaterThanOrEqual(2_400)
}, 120_000)

async function pauseClock(): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 100))
}

/** Counts the page's polls from now on. */
function countPolls() {
  const isPoll = (request: Request) => request.url().includes('albums.progress')
  const polls = {
    asked: 0,
    answered: 0,
    answeredAll: () => waitUntil('the last poll to be answered', async () => polls.asked === polls.answered),
  }
  page.on('request', (request) => {
    if (isPoll(request)) polls.asked++
  })
  page.on('requestfinished', (request) => {
    if (isPoll(request)) polls.answered++
  })
  return polls
}

function trpcFailure(message: string) {
  return { error: { message, code: -32603, data: { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500 } } }
}
