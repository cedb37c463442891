import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { continueButton, fillGetStarted } from './get-started.ts'
import { numbered, photoFolder } from './photo-folder.ts'
import type { Site } from './site.ts'
import { siteTest } from './site-test.ts'
import { sees } from './visitor.ts'

const test = siteTest({ work: false }).extend('folder', { scope: 'file' }, photoFolder(numbered(1)))

const atUpload = (page: Page) => page.waitForURL('**/bulk-upload')
const albumsNamed = (site: Site, name: string) =>
  site.database.db.selectFrom('albums').select(['slug', 'email']).where('display_name', '=', name).execute()

async function sendForm(page: Page, name: string, email: string): Promise<void> {
  await page.goto('/get-started')
  await fillGetStarted(page, name, email)
  await continueButton(page).click()
  await atUpload(page)
}

test('Back leads to the form as it was filled in, and a second try takes the same, empty album', async ({
  page,
  site,
}) => {
  await sendForm(page, 'Garden Party', 'ana@example.com')
  await page.goBack()
  await page.waitForURL('**/get-started')
  expect(await page.getByLabel('Email Address').inputValue()).toBe('ana@example.com')
  expect(await page.getByLabel('Album Name').inputValue()).toBe('Garden Party')
  await continueButton(page).click()
  await atUpload(page)
  await sendForm(page, 'Garden Party', ' Ana@example.com')
  expect(await albumsNamed(site, 'Garden Party')).toHaveLength(1)
})

test('a mistyped address that is corrected in the form after Back is that of the same album', async ({
  page,
  site,
}) => {
  await sendForm(page, 'Lake Party', 'ana@exmaple.com')
  await page.goBack()
  await page.getByLabel('Email Address').fill('ana@example.com')
  await continueButton(page).click()
  await atUpload(page)
  await page.getByText('The link and the password go to ana@example.com.').waitFor()
  expect(await albumsNamed(site, 'Lake Party')).toEqual([{ slug: 'lake-party', email: 'ana@example.com' }])
})

test('with another address from an empty form, or once it has photos, a second album of the name is created', async ({
  page,
  site,
  folder,
}) => {
  await sendForm(page, 'Barn Party', 'ana@example.com')
  await sendForm(page, 'Barn Party', 'ben@example.com')
  expect(await albumsNamed(site, 'Barn Party')).toHaveLength(2)
  await page.setInputFiles('input[type=file]:not([webkitdirectory])', folder.paths('1.jpg'))
  await page.getByRole('button', { name: 'Upload 1 Photo' }).click()
  await page.waitForURL('**/upload-success')
  await sendForm(page, 'Barn Party', 'ben@example.com')
  expect(await albumsNamed(site, 'Barn Party')).toHaveLength(3)
})

test('the address is shown in full before the upload, and corrected there at once', async ({
  page,
  site,
  folder,
}) => {
  await sendForm(page, 'Picnic', 'ana@exmaple.com')
  await page.getByText('The link and the password go to ana@exmaple.com.').waitFor()
  await page.getByRole('button', { name: 'Change the address' }).click()
  const field = page.getByLabel('New email address')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await field.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
  await page.getByRole('button', { name: 'Change the address' }).click()
  expect(await field.inputValue()).toBe('ana@exmaple.com')
  await field.fill('ana@example')
  await page.getByRole('button', { name: 'Save the address' }).click()
  await sees(page, 'Please enter a valid email address')
  await field.fill('ana@example.com')
  await page.getByRole('button', { name: 'Save the address' }).click()
  await page.getByText('The link and the password go to ana@example.com.').waitFor()
  expect(await albumsNamed(site, 'Picnic')).toEqual([{ slug: 'picnic', email: 'ana@example.com' }])

  await page.setInputFiles('input[type=file]:not([webkitdirectory])', folder.paths('1.jpg'))
  await page.getByRole('button', { name: 'Upload 1 Photo' }).click()
  await page.waitForURL('**/upload-success')
  await page.getByText('We will notify you at ana@example.com.').waitFor()
})
