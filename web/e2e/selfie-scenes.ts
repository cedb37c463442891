import type { Page } from 'playwright-core'
import { manySearches } from '../../src/admission/refusals.ts'
import { refuse, type Scene } from './scene.ts'
import type { Stage } from './stage.ts'
import { sees, seesToast, type Visitor } from './visitor.ts'

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
    name: 'selfie',
    open: openSelfie,
  },
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
    name: 'selfie-heic',
    async open(visitor, stage) {
      await openSelfie(visitor, stage)
      const heic = { name: 'IMG_0001.HEIC', mimeType: 'image/heic', buffer: Buffer.from('heic') }
      await visitor.page.locator('input[type=file]').first().setInputFiles(heic)
      await visitor.page.getByText(/^This photo is a HEIC file/).waitFor()
    },
  },
  {
    name: 'selfie-processing',
    async open(visitor, stage) {
      await visitor.page.route('**/api/submit-photo', () => {})
      await submit(visitor, stage)
      await sees(visitor.page, 'Processing...')
    },
  },
  {
    name: 'selfie-waiting',
    async open(visitor, stage) {
      await refuse(visitor.page, '**/api/submit-photo', manySearches(), 60)
      await submit(visitor, stage)
      await visitor.page.getByText(/^Many guests are searching/).waitFor()
    },
  },
  {
    name: 'selfie-failed',
    async open(visitor, stage) {
      await visitor.page.route('**/api/submit-photo', (route) => route.abort())
      await submit(visitor, stage)
      await seesToast(visitor.page, 'Upload failed')
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
    name: 'selfie-results-none',
    async open({ page }) {
      await answer(page, 'submissions.results', { processed: true, totalMatches: 0 })
      await page.goto('/selfie/results/1')
      await sees(page, 'No Photos Found')
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
    name: 'selfie-results-no-id',
    async open({ page }) {
      await page.goto('/selfie/results')
      await sees(page, 'Invalid Request')
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
