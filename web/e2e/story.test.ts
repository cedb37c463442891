import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { SAMPLES, samplePath } from '../../src/testing/sample-photos.ts'
import { givePassword, searchWith, selfieOfSample1 } from './album-visits.ts'
import { continueButton, fillGetStarted } from './get-started.ts'
import { letterWith } from './outbox.ts'
import type { Site } from './site.ts'
import { siteTest } from './site-test.ts'
import { sees, seesToast } from './visitor.ts'

const test = siteTest()
  /** The organiser's photos in a folder. */
  // biome-ignore lint/correctness/noEmptyPattern: Vitest insists on a destructuring pattern.
  .extend('folder', { scope: 'file' }, async ({}, { onCleanup }) => {
    const folder = await mkdtemp(join(tmpdir(), 'inframe-wedding-'))
    onCleanup(() => rm(folder, { recursive: true }))
    for (const number of SAMPLES) await copyFile(samplePath(number), join(folder, `sample${number}.jpg`))
    return folder
  })

test.for(['desktop', 'phone'] as const)(
  'an organiser on a %s creates an album, and a guest on a phone finds and downloads their photos',
  async (device, { visit, site, folder }) => {
    const albumName = `My Summer Wedding, on a ${device}`
    const organiser = await visit({ device })
    const addresses: string[] = []
    organiser.context.on('request', (request) =>
      addresses.push(request.url(), request.headers().referer ?? ''),
    )
    await createAlbum(organiser.page, albumName)
    await uploadFolder(folder, organiser.page, device)
    const { link, password } = await readLetter(site, albumName)

    await organiser.page.goto(link)
    await organiser.page.getByText('Album password').waitFor()
    const ownerKey = await organiser.page.evaluate(() => localStorage.getItem('userAlbumId')!)
    expect(ownerKey).toMatch(/^[\w-]{32}$/)
    expect(addresses.filter((address) => address.includes(ownerKey))).toEqual([])
    expect(addresses.filter((address) => address.includes('/upload-photos')).length).toBeGreaterThan(0)

    const guest = await visit({ device: 'phone' })
    await enterAlbum(guest.page, link, password, albumName)
    await findYourself(site, guest.page)
    await downloadFirst(guest.page)
  },
)

async function createAlbum(page: Page, albumName: string): Promise<void> {
  await page.goto('/')
  await page.getByRole('link', { name: 'Get Started' }).first().click()
  await fillGetStarted(page, albumName, 'mira@example.com')
  await continueButton(page).click()
  await page.waitForURL('**/bulk-upload')
  await seesToast(page, 'Success', 'Album setup completed successfully!')
}

async function uploadFolder(folder: string, page: Page, device: 'desktop' | 'phone'): Promise<void> {
  // Phones have no folders to choose; their browsers offer many photos at once.
  const photos = SAMPLES.map((number) => join(folder, `sample${number}.jpg`))
  if (device === 'desktop') await page.locator('input[webkitdirectory]').setInputFiles(folder)
  else await page.locator('input[type=file]').first().setInputFiles(photos)
  await page.getByRole('button', { name: 'Upload 6 Photos' }).click()
  await seesToast(page, 'Upload completed!', '6 photos uploaded successfully, 0 failed')
  await page.waitForURL('**/upload-success')
  await sees(page, 'Upload Started Successfully!')
}

/** The link and the password in the letter that says the album is complete. */
async function readLetter(site: Site, albumName: string): Promise<{ link: string; password: string }> {
  const letter = await letterWith(site, albumName)
  const link = /http:\/\/\S+\/album\/[\w-]+/.exec(letter)?.[0]
  const password = /Password:\s*(\S+)/i.exec(letter)?.[1]
  if (!link || !password) throw new Error('The letter names no link or no password')
  return { link, password }
}

async function enterAlbum(page: Page, link: string, password: string, albumName: string): Promise<void> {
  await page.goto(link)
  await sees(page, 'Access Album')
  await givePassword(page, password)
  await seesToast(page, 'Access granted!', `Welcome to ${albumName}`)
}

async function findYourself(site: Site, page: Page): Promise<void> {
  await searchWith(page, await selfieOfSample1(site))
  await page.getByRole('heading', { name: /^Found \d+ Photos?!$/ }).waitFor()
  await page.getByRole('link', { name: 'Open sample1.jpg' }).waitFor()
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
