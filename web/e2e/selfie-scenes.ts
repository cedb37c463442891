import type { Page } from 'playwright-core'
import type { Scene } from './scene.ts'
import type { Stage } from './stage.ts'
import { sees, type Visitor } from './visitor.ts'

async function openSelfie({ page, becomeOrganiser }: Visitor, { party }: Stage): Promise<void> {
  await becomeOrganiser({
    userEmail: 'mira@example.com',
    eventName: party.displayName,
    userAlbumId: party.ownerKey,
  })
  await page.goto('/selfie')
  await page.getByRole('button', { name: 'Find my photos' }).waitFor()
}

async function submit(visitor: Visitor, stage: Stage): Promise<void> {
  await openSelfie(visitor, stage)
  const { page } = visitor
  const { name, bytes: buffer } = stage.selfie
  await page.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'image/jpeg', buffer })
  await page.getByRole('button', { name: 'Find my photos' }).click()
}

/** Answers a call as the service would. */
const answer = (page: Page, call: string, data: object) =>
  page.route(`**/trpc/${call}*`, (route) => route.fulfill({ json: { result: { data } } }))

export const SELFIE: Scene[] = [
  {
    name: 'selfie-missing',
    async open(visitor, stage) {
      await openSelfie(visitor, stage)
      await visitor.page.getByRole('button', { name: 'Find my photos' }).click()
      await sees(visitor.page, 'Please select a photo file')
    },
  },
  {
    name: 'selfie-tick',
    async open(visitor, stage) {
      await answer(visitor.page, 'albums.enterAsOwner', { album: { consentTick: 'on' } })
      await openSelfie(visitor, stage)
      await visitor.page.getByRole('checkbox').waitFor()
    },
  },
  {
    name: 'selfie-results',
    async open(visitor, stage) {
      await submit(visitor, stage)
      await visitor.page
        .getByRole('link', { name: /^Download/ })
        .first()
        .waitFor()
      await visitor.page.waitForLoadState('networkidle')
    },
  },
  {
    name: 'selfie-results-processing',
    async open({ page }) {
      await answer(page, 'submissions.results', { processed: false, totalMatches: 0 })
      await page.goto('/selfie/results/1')
      await sees(page, 'Processing Your Photo')
    },
  },
  {
    name: 'selfie-results-loading-list',
    async open({ page }) {
      await answer(page, 'submissions.results', { processed: true, totalMatches: 25 })
      await page.route('**/trpc/submissions.photos*', () => {})
      await page.goto('/selfie/results/1')
      await sees(page, 'Loading your photos...')
    },
  },
  {
    name: 'selfie-results-list-failed',
    async open({ page }) {
      await answer(page, 'submissions.results', { processed: true, totalMatches: 25 })
      await page.route('**/trpc/submissions.photos*', (route) => route.abort())
      await page.goto('/selfie/results/1')
      await sees(page, 'The photos could not be loaded')
    },
  },
  {
    name: 'selfie-results-gone',
    async open({ page }) {
      await page.goto('/selfie/results/1')
      await sees(page, 'Loading Error')
    },
  },
  {
    name: 'selfie-no-results',
    async open({ page }) {
      await page.goto('/selfie/no-results')
      await sees(page, 'No Photos Found')
    },
  },
]

const AUTH_URL = {
  authUrl: 'https://accounts.example.com/authorize?state=state',
  redirectUris: ['https://photos.example.com/gmail-oauth'],
}

export const MAIL_SETUP: Scene[] = [
  {
    name: 'oauth-helper-generated',
    async open({ page }) {
      await answer(page, 'mailSetup.helperAuthUrl', AUTH_URL)
      await page.goto('/oauth-helper')
      await page.getByRole('button', { name: 'Generate Auth URL' }).click()
      await sees(page, 'Authorize Gmail Access')
    },
  },
  {
    name: 'gmail-oauth',
    async open({ page }) {
      await page.goto('/gmail-oauth?code=4/0AbCdEf&state=state')
      await sees(page, 'Google has sent the code')
    },
  },
  {
    name: 'gmail-oauth-set-up-used',
    async open({ page }) {
      await page.goto('/gmail-oauth#setup=used')
      await page.getByRole('alert').first().waitFor()
    },
  },
]
