import type { Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { CONSENT } from '../../src/contract/wording.ts'
import { manySearches } from '../../src/http/selfies.ts'
import { albumTest } from './album-test.ts'
import { type ChosenFile, choose } from './album-visits.ts'
import { expectNoAxeFault } from './axe.ts'
import { refusal } from './refusals.ts'
import { holdBack, organiserOf, sees, seesToast } from './visitor.ts'

const SUBMIT = '**/api/submit-photo'
const LIBRARY = 'https://photos.example.com/public'

const test = albumTest({ site: { env: { PHOTO_LIBRARY_URL: LIBRARY } } }).extend(
  'organiser',
  { scope: 'file' },
  ({ album }) => organiserOf(album),
)

const submitButton = (page: Page) => page.getByRole('button', { name: 'Find my photos' })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

async function submit(page: Page, selfie: ChosenFile): Promise<void> {
  await choose(page, selfie)
  await submitButton(page).click()
}

test('/selfie leads to the photos that it finds, with the keyboard alone', async ({
  page,
  visitor,
  album,
  organiser,
  selfie,
}) => {
  await visitor.becomeOrganiser(organiser)
  await page.goto('/selfie')
  await sees(page, 'Find your photos at Garden Party')
  expect(await page.title()).toBe('Upload a selfie · Inframe')
  await submitButton(page).press('Enter')
  await page.getByRole('alert').getByText('Please select a photo file').waitFor()
  await expectNoAxeFault(page)
  expect(await focused(page)).toContain('Drop your selfie here')

  const chooser = page.waitForEvent('filechooser')
  await page.keyboard.press('Enter')
  expect((await chooser).isMultiple()).toBe(false)
  await (await chooser).setFiles(selfie)
  await sees(page, 'selfie.jpg')
  expect(await page.getByText('Please select a photo file').count()).toBe(0)
  const preview = page.getByRole('img', { name: 'Your selfie' })
  await expect
    .poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  await expectNoAxeFault(page)
  const { held, letGo } = await holdBack(page, SUBMIT)
  const remove = page.getByRole('button', { name: 'Remove' })
  await remove.press('Enter')
  expect(await focused(page)).toContain('Drop your selfie here')
  await choose(page, selfie)
  await remove.focus()
  // The first is the link to the privacy policy.
  for (let pressed = 0; pressed < 2; pressed++) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const busy = page.getByRole('button', { name: 'Processing...' })
  await busy.waitFor()
  expect(await busy.isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Remove' }).isDisabled()).toBe(true)
  const sent = (await held).postDataBuffer()!.toString('latin1')
  expect(sent).toMatch(/name="source"\r\n\r\nhomepage\r\n/)
  expect(sent).toMatch(new RegExp(`name="userAlbumId"\r\n\r\n${album.ownerKey}\r\n`))
  expect(sent).toMatch(/name="photo"; filename="selfie.jpg"\r\nContent-Type: image\/jpeg/)

  letGo()
  await page.waitForURL(/\/selfie\/results\/[0-9a-f-]{36}$/)
  await sees(page, 'Here are your detected photos.')
  await sees(page, 'We found 1 photo of you.')
  expect(await focused(page)).toBe('Here are your detected photos.')
  await page.goBack()
  await sees(page, 'Drop your selfie here')
})

test('an album with nobody in it leads to the page that says so, after the tick that it asks for', async ({
  page,
  visitor,
  site,
  selfie,
}) => {
  const empty = await site.createAlbum('Garden Party')
  await empty.owner.post(`/api/albums/${empty.ownerKey}/settings`, { consentTick: 'on' })
  await visitor.becomeOrganiser(organiserOf(empty))
  await page.goto('/selfie')
  const library = page.getByRole('link', { name: 'public photo library' })
  expect(await library.getAttribute('href')).toBe(LIBRARY)
  const box = page.getByRole('checkbox', { name: CONSENT.tick })
  await box.waitFor()
  const { held, letGo } = await holdBack(page, SUBMIT)
  await submit(page, selfie)
  await page.getByRole('alert').getByText('Please tick the box if you agree').waitFor()
  await expectNoAxeFault(page)
  await box.check()
  await submitButton(page).click()
  // It is the first one.
  expect((await held).postDataBuffer()!.toString('latin1')).toMatch(/name="consent"\r\n\r\ntrue\r\n/)
  letGo()

  await page.waitForURL('**/selfie/no-results')
  await sees(page, 'Sorry, there were no matched photos found.')
  expect(await page.title()).toBe('No Photos Found · Inframe')
  expect(await library.getAttribute('target')).toBe('_blank')
  await expectNoAxeFault(page)
  await page.getByRole('link', { name: 'Try with a Different Photo' }).click()
  await sees(page, 'Find your photos at Garden Party')

  // A selfie that could not be submitted stays, with a toast.
  await page.unroute(SUBMIT)
  await box.check()
  const redirectTo = (address: string) => (route: Route) => route.fulfill({ json: { redirectTo: address } })
  const answers: [answer: (route: Route) => Promise<void>, said?: string][] = [
    [(route) => route.fulfill({ status: 422, json: { message: 'The reason', code: 'NO' } }), 'The reason'],
    [(route) => route.fulfill(refusal(manySearches(), 30)), manySearches().message],
    [(route) => route.fulfill({ status: 500, body: '<h1>Not ours</h1>' })],
    [(route) => route.abort()],
    [redirectTo('//evil.example/')],
    [redirectTo('javascript:document.title="evil"')],
  ]
  await choose(page, selfie)
  for (const [answer, said = 'Failed to submit photo'] of answers) {
    await page.route(SUBMIT, answer)
    await submitButton(page).click()
    await seesToast(page, 'Upload failed', said)
    await sees(page, 'selfie.jpg')
    await submitButton(page).waitFor()
    expect(new URL(page.url()).pathname).toBe('/selfie')
    expect(await page.title()).toBe('Upload a selfie · Inframe')
    await page.unroute(SUBMIT)
  }
})
