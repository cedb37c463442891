import type { Page } from 'playwright-core'
import { findAlbum } from '../../src/albums/queries.ts'
import { addAlert } from '../../src/alerts/add-alert.ts'
import { alertLinks } from '../../src/alerts/alert-links.ts'
import type { AddedAlert } from '../../src/contract/alerts.ts'
import { sealTicket, ticketEnd } from '../../src/search/tickets.ts'
import { enterAsOwner, searchWith } from './album-visits.ts'
import { fail, refuse, type Scene, scene } from './scene.ts'
import type { Stage } from './stage.ts'
import { sees, type Visitor } from './visitor.ts'

const ADD = '**/trpc/albums.addAlert**'

/** Opens the form for letters below what a search has found. */
async function openForm(visitor: Visitor, { party, selfie }: Stage): Promise<void> {
  const { page } = visitor
  await enterAsOwner(visitor, party)
  await searchWith(page, { name: selfie.name, mimeType: 'image/jpeg', buffer: selfie.bytes })
  await page.getByRole('button', { name: 'Write to me' }).click()
  await page.getByLabel('Email Address').fill('kim.example@mail.example')
}

async function send(page: Page): Promise<void> {
  await page.getByLabel('I agree that my address').check()
  await page.getByRole('button', { name: 'Send the first letter' }).click()
}

/** Answers as if a letter had been sent. */
const answerSent = async (page: Page) => {
  const data: AddedAlert = {
    confirmBefore: '2026-06-21T18:04:11.000Z',
    endsAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    endToken: 'x'.repeat(43),
  }
  await page.route(ADD, (route) => route.fulfill({ json: { result: { data } } }))
  await page.route('**/trpc/alerts.read**', (route) =>
    route.fulfill({ json: { result: { data: { state: 'waiting' } } } }),
  )
}

/** Asks for letters about the party, and opens one of their links. */
async function openLink(page: Page, { site, party }: Stage, use: 'confirm' | 'end' | 'refuse') {
  const { services } = site.context
  const album = (await findAlbum(services.db, { slug: party.albumName }))!
  const person = { templates: {}, confirmed: [], rejected: [] }
  const ticket = sealTicket(services.keyring, album, {
    person,
    endsAt: ticketEnd(),
    searchedAt: new Date(),
  })
  // Another address each time: one gets three letters a day.
  const email = `${crypto.randomUUID()}@mail.example`
  const who = { address: email, sessionId: undefined }
  await addAlert(services, album, { email, ticket }, who)
  const alert = await services.db
    .selectFrom('photo_alerts')
    .selectAll()
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  await page.goto(alertLinks(services.keyring, site.url, alert)[use])
  await page.getByRole('heading', { level: 1 }).waitFor()
}

const press = (page: Page, name: string) => page.getByRole('button', { name }).click()

/** "Tell me when there are more": below the results of a search, and on the page behind the links of the letters. */
export const ALERTS: Scene[] = [
  scene('album-alert-failed', async (visitor, stage) => {
    const { page } = visitor
    const message = 'We cannot send these letters to this address. Please check it, or use another one.'
    await refuse(page, ADD, { code: 'UNPROCESSABLE_CONTENT', message })
    await openForm(visitor, stage)
    await send(page)
    await sees(page, 'The letter could not be sent')
  }),
  scene('album-alert-sent', async (visitor, stage) => {
    const { page } = visitor
    await answerSent(page)
    await openForm(visitor, stage)
    await send(page)
    await sees(page, 'Please check your email')
    await page.getByRole('button', { name: 'End the letters' }).scrollIntoViewIfNeeded()
  }),
  scene('photo-letters-confirm', ({ page }, stage) => openLink(page, stage, 'confirm')),
  scene('photo-letters-end-failed', async ({ page }, stage) => {
    await fail(page, '**/trpc/alerts.end**')
    await openLink(page, stage, 'end')
    await press(page, 'End these letters')
    await sees(page, 'The letters could not be ended')
  }),
  scene('photo-letters-ended', async ({ page }, stage) => {
    await openLink(page, stage, 'end')
    await press(page, 'End these letters')
    await sees(page, 'The letters have ended')
  }),
]
