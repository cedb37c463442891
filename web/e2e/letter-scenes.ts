import type { Page } from 'playwright-core'
import { addressLink } from '../../src/albums/address-links.ts'
import { letterLinks } from '../../src/albums/letter-links.ts'
import { findAlbum } from '../../src/albums/queries.ts'
import { sealAddress } from '../../src/albums/sealed-address.ts'
import type { LetterAddress } from '../../src/contract/letter-address.ts'
import { enterAsOwner } from './album-visits.ts'
import { type Scene, scene } from './scene.ts'
import type { Stage } from './stage.ts'
import { sees, type Visitor } from './visitor.ts'

async function openStopPage(page: Page, { site, party }: Stage): Promise<void> {
  const album = (await findAlbum(site.database.db, { slug: party.albumName }))!
  await page.goto(letterLinks(site.context.services.keyring, site.url, album).stop)
  await page.getByRole('heading', { name: 'This was not me' }).waitFor()
}

async function openAddressPage(page: Page, { site, party }: Stage): Promise<void> {
  const { db, keyring } = site.context.services
  const album = (await findAlbum(db, { slug: party.albumName }))!
  const id = crypto.randomUUID()
  const new_address = sealAddress(keyring, id, album.email)
  await db.updateTable('address_changes').set({ new_address: null }).execute()
  await db.insertInto('address_changes').values({ id, album_id: album.id, new_address }).execute()
  await page.goto(addressLink(keyring, site.url, album, id))
  await page.getByRole('heading', { name: 'Letters about an album' }).waitFor()
}

/** Opens the owner's form for a new address of the letters. */
async function openAddressForm(visitor: Visitor, { party }: Stage): Promise<void> {
  const { page } = visitor
  await enterAsOwner(visitor, party)
  await page.getByRole('button', { name: 'Change the address' }).click()
  await page.getByLabel('New email address').fill('kim.example@mail.example')
}

const sendAddress = (page: Page) => page.getByRole('button', { name: 'Save the address' }).click()

const stop = (page: Page) => page.getByRole('button', { name: 'Stop these letters' }).click()

/** The pages behind "This was not me" and behind a new address, and the form for a new one. */
export const LETTERS: Scene[] = [
  scene('stop-letters', ({ page }, stage) => openStopPage(page, stage)),
  scene('stop-letters-stopped', async ({ page }, stage) => {
    await openStopPage(page, stage)
    await stop(page)
    await page.getByRole('heading', { name: /stopped$/ }).waitFor()
  }),
  scene('letter-address', ({ page }, stage) => openAddressPage(page, stage)),
  scene('owner-letters-form', async (visitor, stage) => {
    await openAddressForm(visitor, stage)
    await visitor.page.getByRole('button', { name: 'Save the address' }).scrollIntoViewIfNeeded()
  }),
  scene('owner-letters-sent', async (visitor, stage) => {
    const data: LetterAddress = {
      address: 'm…@example.com',
      waiting: { address: 'k…@mail.example', confirmBefore: '2026-06-21T18:04:11.000Z' },
    }
    await visitor.page.route('**/trpc/albums.changeLetterAddress**', (route) =>
      route.fulfill({ json: { result: { data } } }),
    )
    await openAddressForm(visitor, stage)
    await sendAddress(visitor.page)
    await visitor.page.getByRole('button', { name: 'Enter another address' }).scrollIntoViewIfNeeded()
  }),
  scene('stop-letters-invalid', async ({ page }) => {
    await page.goto('/stop-letters')
    await sees(page, 'This link is not valid')
  }),
]
