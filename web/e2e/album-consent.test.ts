import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { CONSENT, CONSENT_NEEDED } from '../../src/contract/wording.ts'
import { readSample } from '../../src/testing/client.ts'
import { enterAsGuest, fillWithRows, searchWith } from './album-visits.ts'
import type { OwnedAlbum } from './site.ts'
import { siteTest } from './site-test.ts'
import { sees, seesToast } from './visitor.ts'

const test = siteTest({ work: false })
  /** Its photos have no faces, so a search finds nothing. */
  .extend('album', async ({ site }) => {
    const album = await site.createAlbum('Garden Party')
    await fillWithRows(site, album, 3)
    return album
  })
  .extend('selfie', { scope: 'file' }, async () => ({
    name: 'selfie.jpg',
    mimeType: 'image/jpeg',
    buffer: await readSample(1),
  }))

const askForTick = ({ owner, ownerKey }: OwnedAlbum, consentTick: 'on' | 'off') =>
  owner.post(`/api/albums/${ownerKey}/settings`, { consentTick })
const box = (page: Page) => page.getByRole('checkbox', { name: CONSENT.tick })
const searchButton = (page: Page) => page.getByRole('button', { name: 'Search Photos' })
const focused = (page: Page) => page.evaluate(() => (document.activeElement as HTMLInputElement).type)

type Field = 'consent' | 'consentVersion'

/** Records a field of each form that the page sends to a call. */
async function fieldsSent(page: Page, call: string, field: Field): Promise<(string | undefined)[]> {
  const sent: (string | undefined)[] = []
  await page.route(`**/api/${call}`, (route) => {
    const body = route.request().postDataBuffer()!.toString('latin1')
    sent.push(body.match(new RegExp(`name="${field}"\\r\\n\\r\\n([^\\r]*)`))?.[1])
    return route.continue()
  })
  return sent
}

test('above the button is what a search means, and the version of it goes with the search', async ({
  page,
  visitor,
  album,
  selfie,
}) => {
  await enterAsGuest(visitor, album)
  await page.getByText(CONSENT.text).waitFor()
  await sees(page, 'Searching for a child? Only their parent or guardian may do that.')
  const policy = page.getByRole('main').getByRole('link', { name: 'Privacy Policy' })
  expect([await policy.getAttribute('href'), await policy.getAttribute('target')]).toEqual([
    '/privacy-policy',
    '_blank',
  ])
  expect(await box(page).count()).toBe(0)
  const versions = await fieldsSent(page, 'search-in-album', 'consentVersion')
  await searchWith(page, selfie)
  await sees(page, 'No Photos Found')
  expect(versions).toEqual([String(CONSENT.version)])
})

test('where the album asks for a tick, a search begins only with it, and each person ticks it again', async ({
  visit,
  album,
  selfie,
}) => {
  await askForTick(album, 'on')
  const visitor = await visit({ device: 'phone' })
  const { page } = visitor
  await enterAsGuest(visitor, album)
  const consents = await fieldsSent(page, 'search-in-album', 'consent')
  await searchWith(page, selfie)
  await page.getByRole('alert').getByText('Please tick the box if you agree').waitFor()
  expect(await focused(page)).toBe('checkbox')
  expect(consents).toEqual([])
  await page.getByText(CONSENT.tick).click()
  expect(await page.getByText('Please tick the box if you agree').count()).toBe(0)
  await searchButton(page).click()
  await sees(page, 'No Photos Found')
  expect(consents).toEqual(['true'])
  await page.getByRole('button', { name: 'Search Again' }).click()
  expect(await box(page).isChecked()).toBe(false)
})

test('the box is ticked by a press beside it, as a finger presses', async ({ page, visitor, album }) => {
  await askForTick(album, 'on')
  await enterAsGuest(visitor, album)
  const exact = page.getByRole('checkbox', { name: CONSENT.tick, exact: true })
  const { x, y, height } = (await exact.boundingBox())!
  await page.mouse.click(x - 8, y + height / 2)
  expect(await exact.isChecked()).toBe(true)
})

test('a page that was open before the organiser asked for the tick shows the box then', async ({
  page,
  visitor,
  album,
  selfie,
}) => {
  await enterAsGuest(visitor, album)
  await askForTick(album, 'on')
  await searchWith(page, selfie)
  await seesToast(page, 'Search failed', CONSENT_NEEDED)
  await box(page).check()
  await searchButton(page).click()
  await sees(page, 'No Photos Found')
})

test('the selfie page says the same, and asks for the tick of its album', async ({
  page,
  visitor,
  album,
  selfie,
}) => {
  await visitor.becomeOrganiser({
    userEmail: 'o@example.com',
    eventName: album.displayName,
    userAlbumId: album.ownerKey,
  })
  await page.goto('/selfie')
  await page.getByText(CONSENT.text).waitFor()
  await askForTick(album, 'on')
  await page.reload()
  await box(page).waitFor()
  const consents = await fieldsSent(page, 'submit-photo', 'consent')
  await page.locator('input[type=file]').first().setInputFiles(selfie)
  await page.getByRole('button', { name: 'Find my photos' }).click()
  await page.getByRole('alert').getByText('Please tick the box if you agree').waitFor()
  expect(consents).toEqual([])
  await box(page).check()
  await page.getByRole('button', { name: 'Find my photos' }).click()
  await page.waitForURL('**/selfie/results/**')
  expect(consents).toEqual(['true'])
})
