import type { Page } from 'playwright-core'
import { ALBUM } from './album-scenes.ts'
import { ALERTS } from './alert-scenes.ts'
import { BROWSE } from './browse-scenes.ts'
import { continueButton, fillGetStarted } from './get-started.ts'
import { LETTERS } from './letter-scenes.ts'
import { HIDE_REQUESTS, OPT_OUTS } from './opt-out-scenes.ts'
import { OWN_ALBUMS } from './own-album-scenes.ts'
import { REMEMBERED } from './remembered-scenes.ts'
import { fail, type Scene, scene } from './scene.ts'
import { SEARCH_RESULTS } from './search-scenes.ts'
import { MAIL_SETUP, SELFIE } from './selfie-scenes.ts'
import { TAKE_HOME } from './take-home-scenes.ts'
import { UPLOAD } from './upload-scenes.ts'
import { UPLOAD_SUCCESS } from './upload-success-scenes.ts'
import { sees } from './visitor.ts'

const PUBLIC = [
  scene('landing', async ({ page }) => {
    await page.goto('/')
    await sees(page, 'Let facial recognition do your photo tagging.')
  }),
  scene('privacy-policy', async ({ page }) => {
    await page.goto('/privacy-policy')
    await page.getByRole('heading', { level: 1 }).waitFor()
  }),
  scene('photo-trouble', async ({ page }) => {
    await page.goto('/photos/no-such-photo/full')
    await sees(page, 'This link is not valid')
  }),
  scene('offline-page', async ({ page, context }) => {
    await page.goto('/')
    await context.setOffline(true)
    await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Albums' }).click()
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
  scene('get-started-refused', async ({ page }) => {
    await sendGetStarted(page, 'mira@example')
    await page
      .getByText(/^Please enter a valid email address/)
      .first()
      .waitFor()
  }),
  scene('get-started-closed', async ({ page }) => {
    await albumCreationIs(page, 'closed')
    await page.goto('/get-started')
    await sees(page, 'New albums cannot be created here at the moment')
  }),
  scene('get-started-led-here', async ({ page }) => {
    await page.goto('/selfie')
    await sees(page, 'Create an album before you search with a selfie')
  }),
]

async function sendGetStarted(page: Page, email = 'mira@example.com'): Promise<void> {
  await page.goto('/get-started')
  await fillGetStarted(page, 'Mira & Jonas, 20 June', email)
  await continueButton(page).click()
}

const ALBUMS = [
  scene('albums', async ({ page }) => {
    await page.goto('/albums')
    await page
      .getByRole('link', { name: /Find My Photos/ })
      .first()
      .waitFor()
  }),
  scene('albums-failed', async ({ page }) => {
    await fail(page, '**/trpc/albums.list**')
    await page.goto('/albums')
    await sees(page, 'Failed to fetch albums')
  }),
  scene('albums-none', async ({ page }) => {
    await page.route('**/trpc/albums.list**', (route) =>
      route.fulfill({ contentType: 'application/json', body: '{"result":{"data":{"albums":[]}}}' }),
    )
    await page.goto('/albums')
    await sees(page, 'No Albums Yet')
  }),
]

export const SCENES: Scene[] = [
  ...PUBLIC,
  ...GET_STARTED,
  ...OWN_ALBUMS,
  ...UPLOAD,
  ...UPLOAD_SUCCESS,
  ...ALBUMS,
  ...ALBUM,
  ...SEARCH_RESULTS,
  ...BROWSE,
  ...REMEMBERED,
  ...TAKE_HOME,
  ...SELFIE,
  ...LETTERS,
  ...HIDE_REQUESTS,
  ...OPT_OUTS,
  ...ALERTS,
  ...MAIL_SETUP,
]

/** Shows /get-started as a service with this ALBUM_CREATION sends it. */
async function albumCreationIs(page: Page, mode: 'invited' | 'closed'): Promise<void> {
  await page.route('**/get-started', async (route) => {
    const response = await route.fetch()
    const setting = `<meta name="inframe-album-creation" content="${mode}" />`
    await route.fulfill({ response, body: (await response.text()).replace('</head>', `${setting}</head>`) })
  })
}
