import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { SAMPLES, samplePath } from '../../src/testing/sample-photos.ts'
import { givePassword, searchWith, selfieOfSample1 } from './album-visits.ts'
import { continueButton, fillGetStarted } from './get-started.ts'
import { letterWith } from './outbox.ts'
import { photoFolder } from './photo-folder.ts'
import { siteTest } from './site-test.ts'
import { sees, seesToast } from './visitor.ts'

const test = siteTest()
  /** The organiser's photos in a folder. */
  .extend(
    'folder',
    { scope: 'file' },
    photoFolder(
      Object.fromEntries(SAMPLES.slice(0, 3).map((n) => [`sample${n}.jpg`, readFileSync(samplePath(n))])),
    ),
  )

const NAME = 'My Summer Wedding'
const ADDRESS = 'mira@example.com'
const DESK = '/manage/my-summer-wedding'

declare global {
  interface Window {
    hasPrinted?: boolean
  }
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('an organiser creates an album, a guest on a phone finds and downloads their photos, and the organiser runs the album from the desk, loses the laptop, gets back in by letter, and ends it', async ({
  visit,
  site,
  folder,
}) => {
  const { page: laptop } = await visit()
  await createAlbum(laptop)
  await upload(laptop, folder.path)
  const letter = await letterWith(site, 'Password:')
  const link = /http:\/\/\S+\/album\/[\w-]+/.exec(letter)![0]
  const password = /Password:\s*(\S+)/.exec(letter)![1]!

  const { page: guest } = await visit({ device: 'phone' })
  await guest.goto(link)
  await givePassword(guest, password)
  await seesToast(guest, 'Access granted!', `Welcome to ${NAME}`)
  await searchWith(guest, await selfieOfSample1(site))
  await guest.getByRole('heading', { name: /^Found \d+ Photos?!$/ }).waitFor()
  await downloadFirst(guest)

  await laptop.goto(DESK)
  await laptop.getByRole('link', { name: 'Guests can find them: 3 photos' }).waitFor()
  await laptop.goto(`${DESK}/settings`)
  const { page: phone } = await visit({ device: 'phone' })
  await addDevice(laptop, phone)
  // From here on the laptop is lost.
  await print(phone, password)
  await phone.goto(`${DESK}/guests`)
  await sees(phone, '100% of those who searched found at least one photo')
  await phone.goto(`${DESK}/settings`)
  await phone.getByLabel('Closes').fill('2099-12-31T20:00')
  await press(phone, 'Save')
  await phone.getByText(/^Guests can come in until .*2099/).waitFor()

  const { page: returned } = await visit()
  await returned.goto('/albums')
  await returned.getByLabel('Address of your albums').fill(ADDRESS)
  await press(returned, 'Send me my albums')
  await sees(returned, 'Look into your mailbox')
  const links = await letterWith(site, 'The links to your photo albums')
  await returned.goto(/http:\/\/\S+#owner-key=\S+/.exec(links)![0])
  await returned.waitForURL(`**${DESK}`)
  await sees(returned, 'What became of your files')
  await returned.goto(`${DESK}/end`)
  await returned.getByLabel('Name in the link').fill('my-summer-wedding')
  await press(returned, 'Erase for good')
  await returned.getByRole('heading', { name: `${NAME} is erased` }).waitFor()
  await sees(returned, '3 photos erased')
  await letterWith(site, 'Your photo album is erased')
  await guest.reload()
  await sees(guest, 'Album Not Found')
})

async function createAlbum(page: Page): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: 'Get Started' }).first().click()
  await fillGetStarted(page, NAME, ADDRESS)
  await continueButton(page).click()
  await page.waitForURL('**/bulk-upload')
}

async function upload(page: Page, folder: string): Promise<void> {
  await page.locator('input[webkitdirectory]').setInputFiles(folder)
  await press(page, 'Upload 3 Photos')
  await seesToast(page, 'Upload completed!', '3 photos uploaded successfully, 0 failed')
  await page.waitForURL('**/upload-success')
}

async function downloadFirst(page: Page): Promise<void> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download sample1.jpg' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('sample1.jpg')
  const { width, format } = await sharp(await readFile(await download.path())).metadata()
  expect({ width, format }).toEqual({ width: 1920, format: 'jpeg' })
}

/** The code on the one device leads the other one to its link. */
async function addDevice(first: Page, second: Page): Promise<void> {
  await press(first, 'Add a device')
  await second.goto(await first.getByText(/\/add-device#/).innerText())
  await press(second, 'Manage the album here')
  await sees(second, 'This device manages the album now')
}

async function print(page: Page, password: string): Promise<void> {
  await page.goto(`${DESK}/share`)
  expect(await page.locator('.sheets .password').innerText()).toBe(password)
  await page.evaluate(() => {
    window.print = () => {
      window.hasPrinted = true
    }
  })
  await press(page, 'Print')
  expect(await page.evaluate(() => window.hasPrinted)).toBe(true)
}
