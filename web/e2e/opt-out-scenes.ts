import type { Page } from 'playwright-core'
import { findAlbum } from '../../src/albums/queries.ts'
import type { OptOutOutput, ReceiptOutput } from '../../src/contract/opt-outs.ts'
import type { OptOutState } from '../../src/database/schema.ts'
import { hideLinks, optOutsLink } from '../../src/opt-outs/owner-links.ts'
import { newSelfie } from '../../src/testing/selfie.ts'
import { type Scene, scene } from './scene.ts'
import type { Stage } from './stage.ts'
import { sees, type Visitor } from './visitor.ts'

const PHOTOS = 7

/** Opens the page on which the owner answers a guest who wants some photos of the party to be hidden. */
async function openRequest(page: Page, { site, party }: Stage): Promise<void> {
  const { db } = site.database
  const album = (await findAlbum(db, { slug: party.albumName }))!
  const photos = await db
    .selectFrom('photos')
    .select('id')
    .where('album_id', '=', album.id)
    .orderBy('filename')
    .limit(PHOTOS)
    .execute()
  const { id } = await db
    .insertInto('opt_outs')
    .values({
      album_id: album.id,
      state: 'hidden',
      faces: PHOTOS,
      photos_to_hide: photos.map((photo) => photo.id),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await page.goto(hideLinks(site.context.services.keyring, site.url, album, id).yes)
  await page.getByRole('button', { name: `Hide ${PHOTOS} photos` }).waitFor()
  await page.waitForLoadState('networkidle')
}

/** The page on which the owner answers a request to hide photos. */
export const HIDE_REQUESTS: Scene[] = [scene('hide-photos', ({ page }, stage) => openRequest(page, stage))]

/** Searches the party.
 *  @param isNew with a picture that the album does not have */
async function searchParty({ page, signInAs }: Visitor, { party, selfie }: Stage, isNew: boolean) {
  await signInAs(party.owner)
  await page.goto(`/album/${party.albumName}`)
  const buffer = isNew ? await newSelfie(selfie.bytes) : selfie.bytes
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: selfie.name, mimeType: 'image/jpeg', buffer })
  await page.getByRole('button', { name: 'Search Photos' }).click()
  await page.getByRole('button', { name: 'Take me out of this album' }).click()
}

async function openForm(visitor: Visitor, stage: Stage): Promise<void> {
  await searchParty(visitor, stage, true)
  await visitor.page.getByRole('button', { name: /^Hide \d+ faces$/ }).waitFor()
}

const RECEIPT: OptOutOutput = {
  receipt: 'DUx_flihTEubRp0_PxxcVdZ1pA3mV0yqkJc2x5rT9uE',
  state: 'hidden',
  at: '2026-06-20T18:04:11.000Z',
  permanentAt: '2026-06-23T18:04:11.000Z',
  faces: 24,
  photosToHide: 24,
  isKeptOut: true,
}

async function optOutTo({ page }: Visitor, data: OptOutOutput): Promise<void> {
  await page.route('**/trpc/albums.optOut**', (route) => route.fulfill({ json: { result: { data } } }))
  await page.getByRole('button', { name: /^Hide \d+ faces/ }).click()
}

/** Opt-outs of the party in all states, an hour apart, all but one of yesterday: jobs change those that are old. */
async function addOptOuts({ site, party }: Stage): Promise<string[]> {
  const { db } = site.database
  const album = (await findAlbum(db, { slug: party.albumName }))!
  await db.deleteFrom('opt_outs').where('album_id', '=', album.id).execute()
  const states: OptOutState[] = [
    'permanent',
    'undone',
    'refused',
    'revoked',
    'hidden',
    'hidden',
    'waiting',
    'waiting',
  ]
  const evening = new Date(Date.now() - 24 * 3_600_000).setUTCHours(18, 4, 11, 0)
  const rows = await db
    .insertInto('opt_outs')
    .values(
      states.map((state, place) => ({
        album_id: album.id,
        state,
        faces: 3 + 7 * place,
        created_at: new Date(evening - (state === 'permanent' ? 96 : states.length - place) * 3_600_000),
        permanent_at: state === 'waiting' ? null : new Date(evening + 72 * 3_600_000),
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

async function openOwnersPage({ page }: Visitor, stage: Stage): Promise<void> {
  const { site, party } = stage
  await addOptOuts(stage)
  const album = (await findAlbum(site.database.db, { slug: party.albumName }))!
  await page.goto(optOutsLink(site.context.services.keyring, site.url, album))
  await page.getByRole('button', { name: 'Revoke all 2 of this day' }).waitFor()
}

const receiptScene = (name: string, state: OptOutState) =>
  scene(`opt-out-page-${name}`, async ({ page }, { party }) => {
    const { displayName, albumName } = party
    const data: ReceiptOutput = {
      state,
      faces: 24,
      at: RECEIPT.at,
      permanentAt: state === 'waiting' ? null : RECEIPT.permanentAt,
      displayName,
      albumName,
    }
    await page.route('**/trpc/optOuts.read**', (route) => route.fulfill({ json: { result: { data } } }))
    await page.goto(`/opt-out#${RECEIPT.receipt}`)
    await page.getByRole('link', { name: 'To the album' }).waitFor()
  })

/** Opting out: the guest's dialog, the page of the receipt, and the owner's page. */
export const OPT_OUTS: Scene[] = [
  scene('opt-out', async (visitor, stage) => {
    await openForm(visitor, stage)
    await visitor.page.getByLabel('Face 2 is me').uncheck()
    await visitor.page.waitForLoadState('networkidle')
  }),
  scene('opt-out-needs-new-selfie', async (visitor, stage) => {
    await searchParty(visitor, stage, false)
    await visitor.page.getByText('A picture of this album, a screenshot of one').waitFor()
  }),
  scene('opt-out-receipt', async (visitor, stage) => {
    await openForm(visitor, stage)
    await optOutTo(visitor, RECEIPT)
    await sees(visitor.page, 'You are hidden')
  }),
  receiptScene('hidden', 'hidden'),
  receiptScene('revoked', 'revoked'),
  scene('opt-out-page-enter', async ({ page }) => {
    await page.goto('/opt-out')
    await page.getByRole('button', { name: 'Open' }).waitFor()
  }),
  scene('opt-outs', openOwnersPage),
  scene('opt-outs-revoke', async (visitor, stage) => {
    await openOwnersPage(visitor, stage)
    await visitor.page.getByRole('button', { name: 'Revoke all 2 of this day' }).click()
    await sees(visitor.page, 'Revoke this?')
  }),
]
