import type { Page } from 'playwright-core'
import type { Progress } from '../../src/contract/albums.ts'
import type { Scene } from './scene.ts'
import { MAIL_SETUP, SELFIE } from './selfie-scenes.ts'
import type { Stage } from './stage.ts'
import { UPLOAD } from './upload-scenes.ts'
import { sees, seesToast, type Visitor } from './visitor.ts'

const scene = (name: string, open: Scene['open']): Scene => ({ name, open })

const file = ({ name, bytes }: { name: string; bytes: Buffer }) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: bytes,
})

/** Keeps a call waiting for ever. */
const hang = (page: Page, call: string) => page.route(call, () => {})

const fail = (page: Page, call: string) =>
  page.route(call, (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/json',
      body: JSON.stringify({
        message: 'The service is busy. Please try again in a moment.',
        error: 'The service is busy. Please try again in a moment.',
        code: 'SERVICE_UNAVAILABLE',
      }),
    }),
  )

const PUBLIC = [
  scene('landing', async ({ page }) => {
    await page.goto('/')
    await sees(page, 'Let facial recognition do your photo tagging.')
  }),
  scene('privacy-policy', async ({ page }) => {
    await page.goto('/privacy-policy')
    await page.getByRole('heading', { level: 1 }).waitFor()
  }),
  scene('terms-of-service', async ({ page }) => {
    await page.goto('/terms-of-service')
    await page.getByRole('heading', { level: 1 }).waitFor()
  }),
  scene('photo-trouble', async ({ page }) => {
    await page.goto('/photos/no-such-photo/full')
    await sees(page, 'This link is not valid')
  }),
  scene('offline-page', async ({ page, context }) => {
    await page.goto('/')
    await context.setOffline(true)
    await page.getByRole('navigation', { name: 'Foot' }).getByRole('link', { name: 'Albums' }).click()
    await sees(page, 'You are offline')
  }),
  scene('not-found', async ({ page }) => {
    await page.goto('/no/such/page')
    await sees(page, '404 Page Not Found')
  }),
]

const GET_STARTED = [
  scene('get-started', async ({ page }) => {
    await page.goto('/get-started')
    await sees(page, 'Your Information')
  }),
  scene('get-started-pending', async ({ page }) => {
    await hang(page, '**/trpc/albums.create**')
    await fillGetStarted(page)
    await sees(page, 'Getting Started...')
  }),
  scene('get-started-failed', async ({ page }) => {
    await fail(page, '**/trpc/albums.create**')
    await fillGetStarted(page)
    await seesToast(page, 'Error', 'Failed to set up album. Please try again.')
  }),
  scene('get-started-refused', async ({ page }) => {
    await fillGetStarted(page, 'mira@example')
    await sees(page, 'Please enter a valid email address')
  }),
  scene('get-started-led-here', async ({ page }) => {
    await page.goto('/selfie')
    await sees(page, 'Create an album before you search with a selfie')
  }),
]

async function fillGetStarted(page: Page, email = 'mira@example.com'): Promise<void> {
  await page.goto('/get-started')
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Album Name').fill('Mira & Jonas, 20 June')
  await page.getByRole('button', { name: 'Continue to Photo Upload' }).click()
}

const ALBUMS = [
  scene('albums', async ({ page }) => {
    await page.goto('/albums')
    await page
      .getByRole('link', { name: /Find My Photos/ })
      .first()
      .waitFor()
  }),
  scene('albums-loading', async ({ page }) => {
    await hang(page, '**/trpc/albums.list**')
    await page.goto('/albums')
    await sees(page, 'Browse Photo Albums')
  }),
  scene('albums-failed', async ({ page }) => {
    await fail(page, '**/trpc/albums.list**')
    await page.goto('/albums')
    await sees(page, 'Failed to fetch albums')
  }),
  scene('albums-none', async ({ page }) => {
    await page.route('**/trpc/albums.list**', (route) =>
      route.fulfill({ contentType: 'application/json', body: '{"result":{"data":[]}}' }),
    )
    await page.goto('/albums')
    await sees(page, 'No Albums Yet')
  }),
]

const GATE = [
  scene('album-checking', async ({ page }, { party }) => {
    await hang(page, '**/trpc/albums.authStatus**')
    await page.goto(`/album/${party.albumName}`)
    await page.getByRole('heading', { name: 'Opening the album' }).waitFor()
  }),
  scene('album-not-found', async ({ page }) => {
    await page.goto('/album/no-such-album')
    await sees(page, 'Album Not Found')
  }),
  scene('album-gate', async ({ page }, { party }) => {
    await page.goto(`/album/${party.albumName}`)
    await page.getByLabel('Album password').waitFor()
  }),
  scene('album-gate-denied', async ({ page }, { party }) => {
    await page.goto(`/album/${party.albumName}`)
    await page.getByLabel('Album password').fill('not the password')
    await page.getByRole('button', { name: 'Access Album' }).click()
    await seesToast(page, 'Access denied')
  }),
]

const PROGRESS = [
  scene('album-progress-not-started', async (visitor, stage) => {
    await openStill(visitor, stage.still.url, stage.empty)
    await visitor.page.getByText('NOT STARTED YET').first().waitFor()
  }),
  scene('album-progress', async (visitor, stage) => {
    await openStill(visitor, stage.still.url, stage.waiting)
    await visitor.page.getByText('IN PROGRESS').first().waitFor()
  }),
  scene('album-progress-completed', async (visitor, stage) => {
    const { page } = visitor
    await openStill(visitor, stage.still.url, stage.waiting)
    await page.getByText('IN PROGRESS').first().waitFor()
    // The page would load itself anew; an answer without content leaves it as it is.
    await page.route(page.url(), (route) => route.fulfill({ status: 204 }))
    await page.route('**/trpc/albums.progress**', (route) =>
      route.fulfill({ json: { result: { data: COMPLETED } } }),
    )
    await sees(page, 'Processing is complete')
  }),
  scene('album-progress-failed', async (visitor, stage) => {
    await fail(visitor.page, '**/trpc/albums.progress**')
    await openStill(visitor, stage.still.url, stage.waiting)
    await visitor.page
      .getByText(/^Failed to load progress/)
      .first()
      .waitFor()
  }),
]

const COMPLETED: Progress = {
  totalPhotos: 9,
  photosUploadedToS3: 9,
  photosIndexedToRekognition: 9,
  isUploadingToS3: false,
  isIndexingToRekognition: false,
  isCompleted: true,
}

async function openStill(visitor: Visitor, url: string, album: Stage['waiting']): Promise<void> {
  await visitor.signInAs(album.owner)
  await visitor.page.goto(`${url}/album/${album.albumName}`)
}

const SEARCH = [
  scene('album-search-owner', (visitor, { party }) => openSearch(visitor, party)),
  scene('album-search-guest', async ({ page }, { party }) => {
    await page.goto(`/album/${party.albumName}`)
    await page.getByLabel('Album password').fill(party.password)
    await page.getByRole('button', { name: 'Access Album' }).click()
    await seesToast(page, 'Access granted!')
    await page.getByRole('button', { name: 'Search Photos' }).waitFor()
  }),
  scene('album-selfie-chosen', async (visitor, { party, selfie }) => {
    await openSearch(visitor, party)
    await choose(visitor.page, selfie)
    await sees(visitor.page, selfie.name)
  }),
  scene('album-searching', async (visitor, { party, selfie }) => {
    await hang(visitor.page, '**/api/search-in-album')
    await search(visitor, party, selfie)
    await sees(visitor.page, 'Searching...')
  }),
  scene('album-found', async (visitor, { party, selfie }) => {
    await search(visitor, party, selfie)
    await sees(visitor.page, 'Found 24 Photos!')
    await visitor.page.waitForLoadState('networkidle')
  }),
  scene('album-found-not-loaded', async (visitor, { party, selfie }) => {
    await visitor.page.route('**/photos/*/thumb?*', (route) => route.abort())
    await search(visitor, party, selfie)
    await visitor.page
      .getByRole('button', { name: /^Try again to load/ })
      .first()
      .waitFor()
  }),
  scene('album-access-ended', async (visitor, { party, selfie }) => {
    await openSearch(visitor, party)
    await choose(visitor.page, selfie)
    await sees(visitor.page, selfie.name)
    await visitor.context.clearCookies()
    await visitor.page.getByRole('button', { name: 'Search Photos' }).click()
    await sees(visitor.page, 'Please enter the password again')
  }),
  scene('album-none-found', async (visitor, { party, stranger }) => {
    await search(visitor, party, stranger)
    await sees(visitor.page, 'No Photos Found')
  }),
  scene('album-search-failed', async (visitor, { party, selfie }) => {
    await fail(visitor.page, '**/api/search-in-album')
    await search(visitor, party, selfie)
    await seesToast(visitor.page, 'Search failed')
  }),
]

async function openSearch(visitor: Visitor, { albumName, owner }: Stage['party']): Promise<void> {
  await visitor.signInAs(owner)
  await visitor.page.goto(`/album/${albumName}`)
  await visitor.page.getByRole('button', { name: 'Search Photos' }).waitFor()
}

async function choose(page: Page, selfie: Stage['selfie']): Promise<void> {
  await page.locator('input[type=file]').first().setInputFiles(file(selfie))
}

async function search(visitor: Visitor, party: Stage['party'], selfie: Stage['selfie']): Promise<void> {
  await openSearch(visitor, party)
  await choose(visitor.page, selfie)
  await visitor.page.getByRole('button', { name: 'Search Photos' }).click()
}

export const SCENES: Scene[] = [
  ...PUBLIC,
  ...GET_STARTED,
  ...UPLOAD,
  ...ALBUMS,
  ...GATE,
  ...PROGRESS,
  ...SEARCH,
  ...SELFIE,
  ...MAIL_SETUP,
]
