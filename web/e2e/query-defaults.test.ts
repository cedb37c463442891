import { beforeEach, expect, test } from 'vitest'
import { openSite, page, visitInEachTest } from './open-site.ts'
import { seesToast } from './visitor.ts'

openSite({ work: false })
visitInEachTest()

const LIST = '**/trpc/albums.list**'
const CREATE = '**/trpc/albums.create**'

/** Calls that the page has made since the test began. */
let calls: string[]
beforeEach(async () => {
  calls = []
  page.on('request', (request) => request.url().includes('/trpc/') && calls.push(request.url()))
  // It runs on, and can be put forward.
  await page.clock.install()
})

async function openAlbums(): Promise<void> {
  await page.goto('/albums', { waitUntil: 'networkidle' })
  await page.getByText('No Albums Yet').waitFor()
}

async function visitPrivacy(): Promise<void> {
  await page.getByRole('link', { name: 'Privacy' }).click()
  await page.getByRole('heading', { level: 1, name: 'Privacy Policy' }).waitFor()
}

async function comeBack(): Promise<void> {
  await page.goBack()
  await page.getByText('No Albums Yet').waitFor()
}

test('a failed query is not tried again by itself', async () => {
  await page.route(LIST, (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto('/albums')
  await page.getByText('Failed to fetch albums').waitFor()
  await page.clock.fastForward('10:00')
  expect(calls.length).toBe(1)
})

test('a failed mutation is not tried again by itself', async () => {
  await page.route(CREATE, (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto('/get-started')
  await page.getByLabel('Email Address').fill('ana@example.com')
  await page.getByLabel('Album Name').fill('Party')
  await page.getByRole('button', { name: 'Continue to Photo Upload' }).click()
  await seesToast(page, 'Error')
  await page.clock.fastForward('10:00')
  expect(calls.length).toBe(1)
})

test('what was loaded is never stale: neither time nor coming back to the tab asks again', async () => {
  await openAlbums()
  await page.clock.fastForward('23:59:00')
  await page.evaluate(() => {
    window.dispatchEvent(new Event('visibilitychange'))
    window.dispatchEvent(new Event('focus'))
  })
  await visitPrivacy()
  await comeBack()
  expect(calls.length).toBe(1)
})

test('what was loaded stays for five minutes after its page was left, and no longer', async () => {
  await openAlbums()
  await visitPrivacy()
  await page.clock.fastForward('04:30')
  await comeBack()
  expect(calls.length).toBe(1)

  await visitPrivacy()
  await page.clock.fastForward('05:01')
  await comeBack()
  expect(calls.length).toBe(2)
})
