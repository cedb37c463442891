import type { Page } from 'playwright-core'
import type { Progress } from '../../src/contract/albums.ts'
import { manySearches } from '../../src/search/selfie.ts'
import { fail, refuse, type Scene, scene } from './scene.ts'
import type { Stage } from './stage.ts'
import { sees, type Visitor } from './visitor.ts'

const file = ({ name, bytes }: { name: string; bytes: Buffer }) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: bytes,
})

const GATE = [
  scene('album-not-found', async ({ page }) => {
    await page.goto('/album/no-such-album')
    await sees(page, 'Album Not Found')
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
]

const PROGRESS = [
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

async function openStill(visitor: Visitor, url: string, album: Stage['waiting']): Promise<void> {
  await visitor.signInAs(album.owner)
  await visitor.page.goto(`${url}/album/${album.albumName}`)
}

const SEARCH = [
  scene('album-search-owner', (visitor, { party }) => openSearch(visitor, party)),
  scene('album-qr-code', async (visitor, { party }) => {
    await openSearch(visitor, party)
    await visitor.page.getByRole('button', { name: 'Show the QR code large' }).click()
    await visitor.page.getByRole('dialog').getByRole('link', { name: 'Save as picture' }).waitFor()
  }),
  scene('album-selfie-heic', async (visitor, { party }) => {
    await openSearch(visitor, party)
    const heic = { name: 'IMG_0001.HEIC', mimeType: 'image/heic', buffer: Buffer.from('heic') }
    await visitor.page.locator('input[type=file]').first().setInputFiles(heic)
    await visitor.page.getByText(/^This photo is a HEIC file/).waitFor()
  }),
  scene('album-search-waiting', async (visitor, { party, selfie }) => {
    await refuse(visitor.page, '**/api/search-in-album', manySearches(), 60)
    await search(visitor, party, selfie)
    await visitor.page.getByText(/^Many guests are searching/).waitFor()
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
  scene('album-viewer', async (visitor, { party, selfie }) => {
    await openFirstPhoto(visitor, party, selfie)
    await visitor.page.getByRole('button', { name: 'Show my face' }).click()
    await visitor.page.waitForLoadState('networkidle')
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
  scene('album-none-found', async (visitor, { party, stranger }) => {
    await search(visitor, party, stranger)
    await sees(visitor.page, 'No Photos Found')
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
