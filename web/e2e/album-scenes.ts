import type { Page } from 'playwright-core'
import { lastSelfieInWork, manySearches } from '../../src/admission/refusals.ts'
import type { Progress } from '../../src/contract/albums.ts'
import { fail, hang, refuse, type Scene, scene } from './scene.ts'
import type { Stage } from './stage.ts'
import { sees, seesToast, type Visitor } from './visitor.ts'

const file = ({ name, bytes }: { name: string; bytes: Buffer }) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: bytes,
})

const GATE = [
  scene('album-checking', async ({ page }, { party }) => {
    await hang(page, '**/trpc/albums.visit**')
    await page.goto(`/album/${party.albumName}`)
    await page.getByRole('heading', { name: 'Opening the album' }).waitFor()
  }),
  scene('album-not-found', async ({ page }) => {
    await page.goto('/album/no-such-album')
    await sees(page, 'Album Not Found')
  }),
  scene('album-failed', async ({ page }, { party }) => {
    await fail(page, '**/trpc/albums.visit**')
    await page.goto(`/album/${party.albumName}`)
    await sees(page, 'The album could not be opened')
  }),
  scene('album-gate', async ({ page }, { party }) => {
    await page.goto(`/album/${party.albumName}`)
    await page.getByLabel('Album password').waitFor()
  }),
  scene('album-gate-in-app', async ({ page, context }, { party }) => {
    // What the page reads. Playwright sets a browser's name only when its window opens.
    await context.addInitScript(() => {
      const userAgent = `${navigator.userAgent} Android Instagram 390.0.0.43.81`
      Object.defineProperty(navigator, 'userAgent', { value: userAgent })
    })
    await page.goto(`/album/${party.albumName}`)
    await sees(page, 'Open this page in your browser')
  }),
  scene('album-gate-link-refused', async ({ page }, { party }) => {
    await page.goto(`/album/${party.albumName}#owner-key=${'A'.repeat(32)}`)
    await sees(page, 'You are no longer the organiser here')
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
  scene('album-empty-owner', async (visitor, stage) => {
    const { displayName, ownerKey } = stage.empty
    await visitor.page.goto(`${stage.still.url}/privacy-policy`)
    await visitor.page.evaluate((values) => Object.assign(localStorage, values), {
      userEmail: 'mira@example.com',
      eventName: displayName,
      userAlbumId: ownerKey,
    })
    await openStill(visitor, stage.still.url, stage.empty)
    await visitor.page.getByRole('link', { name: 'Upload photos' }).waitFor()
  }),
  scene('album-empty-guest', async ({ page }, { still, empty }) => {
    await page.goto(`${still.url}/album/${empty.albumName}`)
    await page.getByLabel('Album password').fill(empty.password)
    await page.getByRole('button', { name: 'Access Album' }).click()
    await sees(page, 'Nothing has been uploaded yet')
  }),
  scene('album-progress', async (visitor, stage) => {
    await openStill(visitor, stage.still.url, stage.waiting)
    await visitor.page.getByText('IN PROGRESS').first().waitFor()
  }),
  scene('album-progress-time-left', async (visitor, stage) => {
    await answerPolls(visitor.page, HALFWAY)
    await openStill(visitor, stage.still.url, stage.waiting)
    await visitor.page.getByText('about 12 minutes left').waitFor()
  }),
  scene('album-search-early', async (visitor, stage) => {
    await answerPolls(visitor.page, HALFWAY)
    await openStill(visitor, stage.still.url, stage.waiting)
    await visitor.page.getByRole('button', { name: 'Search these photos' }).click()
    await visitor.page.getByText(/^1,650 of 4,812 photos so far/).waitFor()
  }),
  scene('album-progress-completed', async (visitor, stage) => {
    const { page } = visitor
    await openStill(visitor, stage.still.url, stage.waiting)
    await page.getByText('IN PROGRESS').first().waitFor()
    // The page would reload. An answer without content leaves it as it is.
    await page.route(page.url(), (route) => route.fulfill({ status: 204 }))
    await answerPolls(page, COMPLETED)
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

const answerPolls = (page: Page, data: Progress) =>
  page.route('**/trpc/albums.progress**', (route) => route.fulfill({ json: { result: { data } } }))

const HALFWAY: Progress = {
  totalPhotos: 4812,
  photosUploadedToS3: 4812,
  photosIndexedToRekognition: 1650,
  isUploadingToS3: false,
  isIndexingToRekognition: true,
  isCompleted: false,
  photosPerMinute: 264.5,
  secondsLeft: 718,
}

const COMPLETED: Progress = {
  totalPhotos: 9,
  photosUploadedToS3: 9,
  photosIndexedToRekognition: 9,
  isUploadingToS3: false,
  isIndexingToRekognition: false,
  isCompleted: true,
  photosPerMinute: null,
  secondsLeft: null,
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
  scene('album-qr-code', async (visitor, { party }) => {
    await openSearch(visitor, party)
    await visitor.page.getByRole('button', { name: 'Show the QR code large' }).click()
    await visitor.page.getByRole('dialog').getByRole('link', { name: 'Save as picture' }).waitFor()
  }),
  scene('album-selfie-chosen', async (visitor, { party, selfie }) => {
    await openSearch(visitor, party)
    await choose(visitor.page, selfie)
    await sees(visitor.page, selfie.name)
  }),
  scene('album-selfie-heic', async (visitor, { party }) => {
    await openSearch(visitor, party)
    const heic = { name: 'IMG_0001.HEIC', mimeType: 'image/heic', buffer: Buffer.from('heic') }
    await visitor.page.locator('input[type=file]').first().setInputFiles(heic)
    await visitor.page.getByText(/^This photo is a HEIC file/).waitFor()
  }),
  scene('album-searching', async (visitor, { party, selfie }) => {
    await hang(visitor.page, '**/api/search-in-album')
    await search(visitor, party, selfie)
    await sees(visitor.page, 'Searching...')
  }),
  scene('album-search-waiting', async (visitor, { party, selfie }) => {
    await refuse(visitor.page, '**/api/search-in-album', manySearches(), 60)
    await search(visitor, party, selfie)
    await visitor.page.getByText(/^Many guests are searching/).waitFor()
  }),
  scene('album-search-waiting-for-last', async (visitor, { party, selfie }) => {
    await refuse(visitor.page, '**/api/search-in-album', lastSelfieInWork(), 60)
    await search(visitor, party, selfie)
    await visitor.page.getByText(/^We are still searching with your last selfie/).waitFor()
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
  scene('album-found-loading', async (visitor, { party, selfie }) => {
    await hang(visitor.page, '**/photos/*/thumb?*')
    await search(visitor, party, selfie)
    await sees(visitor.page, 'Found 24 Photos!')
  }),
  scene('album-viewer', async (visitor, { party, selfie }) => {
    await openFirstPhoto(visitor, party, selfie)
    await visitor.page.getByRole('button', { name: 'Show my face' }).click()
    await visitor.page.waitForLoadState('networkidle')
  }),
  scene('album-viewer-not-loaded', async (visitor, { party, selfie }) => {
    await visitor.page.route('**/photos/*/preview?*', (route) => route.abort())
    await openFirstPhoto(visitor, party, selfie)
    await sees(visitor.page, 'This photo could not be loaded.')
  }),
  scene('album-access-ended', async (visitor, { party, selfie }) => {
    await openSearch(visitor, party)
    await choose(visitor.page, selfie)
    await sees(visitor.page, selfie.name)
    await visitor.context.clearCookies()
    await visitor.page.getByRole('button', { name: 'Search Photos' }).click()
    await sees(visitor.page, 'Please enter the password again')
  }),
  scene('album-log-out', async (visitor, { party }) => {
    await visitor.becomeOrganiser({
      userEmail: 'mira@example.com',
      eventName: party.displayName,
      userAlbumId: party.ownerKey,
      userAlbumSlug: party.albumName,
    })
    await openSearch(visitor, party)
    await visitor.page.getByRole('button', { name: 'Log out' }).click()
    await visitor.page.getByRole('dialog').getByText('#owner-key=').waitFor()
  }),
  scene('album-key-refused', async ({ page, becomeOrganiser }, { party }) => {
    await becomeOrganiser({
      userEmail: 'mira@example.com',
      eventName: party.displayName,
      userAlbumId: 'A'.repeat(32),
      userAlbumSlug: party.albumName,
    })
    await page.goto(`/album/${party.albumName}`)
    await sees(page, 'You are no longer the organiser here')
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

async function openFirstPhoto(
  visitor: Visitor,
  party: Stage['party'],
  selfie: Stage['selfie'],
): Promise<void> {
  await search(visitor, party, selfie)
  await visitor.page.getByRole('link', { name: 'Open IMG_4210.jpg' }).click()
  await visitor.page.getByRole('dialog').waitFor()
}

async function openSearch(visitor: Visitor, { albumName, owner }: Stage['party']): Promise<void> {
  await visitor.signInAs(owner)
  await visitor.page.goto(`/album/${albumName}`)
  await visitor.page.getByRole('button', { name: 'Search Photos' }).waitFor()
  await visitor.page.getByRole('button', { name: 'Show the QR code large' }).waitFor()
}

async function choose(page: Page, selfie: Stage['selfie']): Promise<void> {
  await page.locator('input[type=file]').first().setInputFiles(file(selfie))
}

export async function search(
  visitor: Visitor,
  party: Stage['party'],
  selfie: Stage['selfie'],
): Promise<void> {
  await openSearch(visitor, party)
  await choose(visitor.page, selfie)
  await visitor.page.getByRole('button', { name: 'Search Photos' }).click()
}

/** The album page in each of its states. */
export const ALBUM: Scene[] = [...GATE, ...PROGRESS, ...SEARCH]
