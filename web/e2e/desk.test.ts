import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { samplePath } from '../../src/testing/sample-photos.ts'
import { givePassword, searchWith, selfieOfSample1 } from './album-visits.ts'
import { continueButton, fillGetStarted } from './get-started.ts'
import { letterWith } from './outbox.ts'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const test = siteTest()

const NAME = 'Leaving Party'
const ADDRESS = 'ines@example.com'

declare global {
  interface Window {
    hasPrinted?: boolean
  }
}

/** A sample photo as a camera has written it. @param time `14:00` on the day of the event */
const photoOf = async (camera: string, number: number, time: string) => ({
  name: `sample${number}.jpg`,
  mimeType: 'image/jpeg',
  buffer: await sharp(samplePath(number))
    .withExif({
      IFD0: { Make: 'Maker', Model: camera, Artist: randomBytes(4).toString('hex') },
      IFD2: { DateTimeOriginal: `2025:08:19 ${time}:00` },
    })
    .jpeg()
    .toBuffer(),
})

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()

const inOrder = async (page: Page, order: string) =>
  await expect
    .poll(async () =>
      (await page.getByRole('link', { name: /^Open / }).allInnerTexts()).join().replace(/\D+/g, ''),
    )
    .toBe(order)

test('an organiser runs an event from the desk, loses the laptop, gets back in by letter, and ends the album', async ({
  visit,
  site,
}) => {
  const laptop = await visit({})
  await createAlbum(laptop.page)
  await laptop.page.goto('/manage/leaving-party/settings')
  const phone = await visit({ device: 'phone' })
  await addDevice(laptop.page, phone.page)
  // From here on the laptop is lost.

  await phone.page.goto('/manage/leaving-party/share')
  const password = await phone.page.locator('.sheets .password').innerText()
  await phone.page.evaluate(() => {
    window.print = () => {
      window.hasPrinted = true
    }
  })
  await press(phone.page, 'Print')
  expect(await phone.page.evaluate(() => window.hasPrinted)).toBe(true)

  await phone.page.goto('/manage/leaving-party/photos')
  await inOrder(phone.page, '3142')
  await setClockRight(phone.page)
  await inOrder(phone.page, '1324')
  await press(phone.page, 'Select')
  await phone.page.getByRole('checkbox', { name: 'sample4.jpg' }).click({ force: true })
  await press(phone.page, 'Delete')
  await press(phone.page, 'Delete for good')
  await sees(phone.page, '1 photo deleted for good')
  await press(phone.page, 'Select')
  await phone.page.getByRole('checkbox', { name: 'sample3.jpg' }).click({ force: true })
  await press(phone.page, 'Hide')
  await sees(phone.page, '1 photo hidden. Guests no longer see it.')

  const guest = await visit({ device: 'phone' })
  await guest.page.goto('/album/leaving-party')
  await givePassword(guest.page, password)
  await searchWith(guest.page, await selfieOfSample1(site))
  await guest.page.getByRole('link', { name: 'Open sample1.jpg' }).waitFor()
  expect(await guest.page.getByRole('link', { name: 'Open sample3.jpg' }).count()).toBe(0)
  await phone.page.goto('/manage/leaving-party/guests')
  await sees(phone.page, '100% of those who searched found at least one photo')

  await phone.page.goto('/manage/leaving-party/settings')
  await phone.page.getByLabel('Closes').fill('2099-12-31T20:00')
  await press(phone.page, 'Save')
  await phone.page.getByText(/^Guests can come in until .*2099/).waitFor()

  const returned = await visit({})
  await returned.page.goto('/albums')
  await returned.page.getByLabel('Address of your albums').fill(ADDRESS)
  await press(returned.page, 'Send me my albums')
  await sees(returned.page, 'Look into your mailbox')
  const letter = await letterWith(site, 'The links to your photo albums')
  await returned.page.goto(/http:\/\/\S+#owner-key=\S+/.exec(letter)![0])
  await returned.page.waitForURL('**/manage/leaving-party')
  await sees(returned.page, 'What became of your files')
  await returned.page.goto('/manage/leaving-party/end')
  await returned.page.getByLabel('Name in the link').fill('leaving-party')
  await press(returned.page, 'Erase for good')
  await returned.page.getByRole('heading', { name: `${NAME} is erased` }).waitFor()
  await sees(returned.page, '3 photos erased')
  await letterWith(site, 'Your photo album is erased')
  await guest.page.reload()
  await sees(guest.page, 'Album Not Found')
})

async function createAlbum(page: Page): Promise<void> {
  await page.goto('/get-started')
  await fillGetStarted(page, NAME, ADDRESS)
  await continueButton(page).click()
  await page.waitForURL('**/bulk-upload')
  // The clock of the second camera is 58 minutes late.
  const photos = [
    await photoOf('A', 1, '14:00'),
    await photoOf('A', 2, '15:00'),
    await photoOf('B', 3, '13:02'),
    await photoOf('B', 4, '14:30'),
  ]
  await page.locator('input[type=file]').first().setInputFiles(photos)
  await press(page, 'Upload 4 Photos')
  await page.waitForURL('**/upload-success')
  await page.goto('/manage/leaving-party')
  await page.getByRole('link', { name: 'Guests can find them: 4 photos' }).waitFor()
}

/** The code on the one device leads the other one to its link. */
async function addDevice(first: Page, second: Page): Promise<void> {
  await press(first, 'Add a device')
  const link = await first.getByText(/\/add-device#/).innerText()
  await second.goto(link)
  await press(second, 'Manage the album here')
  await sees(second, 'This device manages the album now')
}

async function setClockRight(page: Page): Promise<void> {
  await press(page, 'Camera clocks')
  await page.getByLabel('Camera to set right').selectOption({ label: 'Maker B' })
  await page.getByRole('radio').nth(0).check({ force: true })
  await page.getByRole('radio').nth(2).check({ force: true })
  await expect.poll(() => page.getByLabel('Minutes').inputValue()).toBe('58')
  await press(page, 'Shift the clock')
}
