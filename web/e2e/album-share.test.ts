import { readFile } from 'node:fs/promises'
import { correction, generate } from 'lean-qr'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { enterAsGuest, enterAsOwner } from './album-visits.ts'
import { siteTest } from './site-test.ts'
import { sees, seesToast } from './visitor.ts'

const test = siteTest()
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Mira & Jonas')
    await site.fill(album, [1])
    return album
  })
  .extend('address', { scope: 'file' }, ({ site, album }) => `${site.url}/album/${album.albumName}`)
test.beforeAll(({ album }) => void album)

async function linksOf(page: Page) {
  await page.getByRole('heading', { name: 'Share This Album' }).waitFor()
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  const [message, network, email] = await Promise.all(
    ['WhatsApp', 'LinkedIn', 'Email'].map(async (name) => new URL((await link(name).getAttribute('href'))!)),
  )
  return { message: message!, network: network!, email: email! }
}

test('the owner shares name, address and password, and sees the password', async ({
  page,
  visitor,
  album,
  address,
}) => {
  await enterAsOwner(visitor, album)
  const { message, network, email } = await linksOf(page)
  const text = `Find your photos from Mira & Jonas!\n${address}\nPassword: ${album.password}`
  expect(message.origin).toBe('https://wa.me')
  expect(message.searchParams.get('text')).toBe(text)
  expect(network.origin).toBe('https://www.linkedin.com')
  expect(network.searchParams.get('url')).toBe(address)
  expect(email.searchParams.get('subject')).toBe('Photos from Mira & Jonas')
  expect(email.searchParams.get('body')).toBe(text.replaceAll('\n', '\r\n'))
  await sees(page, album.password)
})

test('a guest shares name, address and password, and does not see the password', async ({
  page,
  visitor,
  album,
  address,
}) => {
  await enterAsGuest(visitor, album)
  const { message, network, email } = await linksOf(page)
  const text = `Find your photos from Mira & Jonas!\n${address}\nPassword: ${album.password}`
  expect(message.searchParams.get('text')).toBe(text)
  expect(email.searchParams.get('body')).toBe(text.replaceAll('\n', '\r\n'))
  expect(network.href).not.toContain(album.password)
  expect(await page.locator('body').innerText()).not.toContain(album.password)
  expect(await page.getByRole('button', { name: 'Copy password' }).count()).toBe(0)
})

test('link and password are copied', async ({ page, visitor, album, address }) => {
  await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await enterAsOwner(visitor, album)
  for (const [name, value] of [
    ['link', address],
    ['password', album.password],
  ] as const) {
    await page.getByRole('button', { name: `Copy ${name}` }).click()
    await seesToast(page, `Copied the ${name}`)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(value)
  }
})

test('without a clipboard, as on plain http, the text is copied by selection', async ({
  page,
  visitor,
  album,
  address,
}) => {
  await visitor.context.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })
    document.addEventListener('copy', () => {
      Object.assign(window, { copied: String(window.getSelection()) })
    })
  })
  await enterAsOwner(visitor, album)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await seesToast(page, 'Copied the link')
  expect(await page.evaluate(() => (window as { copied?: string }).copied)).toBe(address)
})

test('where copying is refused, the text is selected to be copied by hand', async ({
  page,
  visitor,
  album,
}) => {
  await visitor.context.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('No', 'NotAllowedError'))
    document.execCommand = () => false
  })
  await enterAsOwner(visitor, album)
  await page.getByRole('button', { name: 'Copy password' }).click()
  await seesToast(page, 'Could not copy the password', 'It is selected: please copy it by hand.')
  expect(await page.evaluate(() => String(window.getSelection()))).toBe(album.password)
})

test('a phone offers its own share sheet, and closing it is not an error', async ({
  visit,
  album,
  address,
}) => {
  const phone = await visit({ device: 'phone' })
  await phone.context.addInitScript(() => {
    const shared: ShareData[] = []
    Object.assign(window, { shared, refusal: 'AbortError' })
    navigator.share = async (data) => {
      shared.push(data!)
      throw new DOMException('', (window as unknown as { refusal: string }).refusal)
    }
  })
  await enterAsOwner(phone, album)
  const more = phone.page.getByRole('button', { name: 'More ways to share' })
  await more.tap()
  expect(await phone.page.evaluate(() => (window as unknown as { shared: ShareData[] }).shared)).toEqual([
    {
      title: 'Mira & Jonas',
      text: `Find your photos from Mira & Jonas!\n${address}\nPassword: ${album.password}`,
    },
  ])
  expect(await phone.page.locator('li[data-state=open]').count()).toBe(0)
  await phone.page.evaluate(() => Object.assign(window, { refusal: 'NotAllowedError' }))
  await more.tap()
  await seesToast(phone.page, 'Could not share the album', 'Please copy the link instead.')
})

test('the QR code opens large, and is saved as a picture that scanners can read', async ({
  page,
  visitor,
  album,
  address,
}) => {
  await enterAsGuest(visitor, album)
  await page.getByRole('button', { name: 'Show the QR code large' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mira & Jonas' })
  await dialog.getByRole('img', { name: `QR code of ${address}` }).waitFor()
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('link', { name: 'Save as picture' }).click(),
  ])
  expect(saved.suggestedFilename()).toBe(`${album.albumName}-qr-code.png`)
  expect(await modulesOf(await readFile(await saved.path()))).toEqual(modulesFor(address))
})

test('the large QR code is closed by its button and by Escape, and the focus returns', async ({
  page,
  visitor,
  album,
}) => {
  await enterAsGuest(visitor, album)
  const open = page.getByRole('button', { name: 'Show the QR code large' })
  const dialog = page.getByRole('dialog')
  for (const close of [
    () => dialog.getByRole('button', { name: 'Close' }).click(),
    () => page.keyboard.press('Escape'),
  ]) {
    await open.click()
    await dialog.waitFor()
    await close()
    await dialog.waitFor({ state: 'detached' })
    expect(await open.evaluate((button) => button === document.activeElement)).toBe(true)
  }
})

/** The white edge that the standard asks for, in modules. */
const QUIET_ZONE = 4

/** The modules of the code for a text, row by row, with the white edge. `true` is black. */
function modulesFor(text: string): boolean[][] {
  const code = generate(text, { minCorrectionLevel: correction.Q })
  const places = Array.from({ length: code.size + 2 * QUIET_ZONE }, (_, place) => place - QUIET_ZONE)
  return places.map((y) => places.map((x) => code.get(x, y)))
}

/** The same, as a picture shows them. */
async function modulesOf(picture: Buffer): Promise<boolean[][]> {
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true })
  expect(info.width).toBe(info.height)
  expect(info.width).toBeGreaterThanOrEqual(1_200)
  // The first module of the code is always black.
  const firstBlack = data.indexOf(0) % info.width
  const side = firstBlack / QUIET_ZONE
  const centres = Array.from({ length: info.width / side }, (_, place) => Math.floor((place + 0.5) * side))
  return centres.map((y) => centres.map((x) => data[y * info.width + x] === 0))
}
