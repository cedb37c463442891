import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { fillWithRows, givePassword } from './album-visits.ts'
import { expectNoAxeFault } from './axe.ts'
import { siteTest } from './site-test.ts'
import { answerThumbnails } from './thumbnails.ts'
import { sees } from './visitor.ts'

const test = siteTest()

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('who scans a code is in at once, until the password changes or the organiser turns it off', async ({
  visit,
  site,
}) => {
  const album = await site.createAlbum('Garden Party')
  await fillWithRows(site, album, 1)
  const { page, signInAs } = await visit({ device: 'phone' })
  await signInAs(album.owner)
  await page.goto(`/manage/${album.albumName}/share`)
  const scanAndGo = page.getByLabel('Guests who scan a code are in at once')
  await scanAndGo.click()
  const clean = `${site.url}/album/garden-party`
  const codeOf = (password: string) => `${clean}#password=${password}`
  await sees(page, codeOf(album.password))
  await expectNoAxeFault(page)

  const guest = await visit({ device: 'phone' })
  const addresses: string[] = []
  guest.context.on('request', (request) =>
    addresses.push(request.url().split('#')[0]!, request.headers().referer ?? ''),
  )
  await guest.page.goto(codeOf(album.password))
  await button(guest.page, 'Search Photos').waitFor()
  expect(guest.page.url()).toBe(clean)
  expect(addresses.filter((address) => address.includes(album.password))).toEqual([])
  await button(guest.page, 'Log out').click()
  await guest.page.getByLabel('Album password').waitFor()
  expect(await guest.page.getByText('This code has been ended').count()).toBe(0)

  await button(page, 'Change the password').click()
  await sees(page, 'scan-and-go links and codes')
  await page.getByRole('dialog').getByRole('button', { name: 'Change the password' }).click()
  await sees(page, 'The album has a new password')
  const { body } = await album.owner.get('/api/albums/by-name/garden-party')
  const password = body.album.albumPassword
  await sees(page, codeOf(password))
  await page.locator('.sheets').getByText(password).waitFor()
  await guest.page.goto('about:blank')
  await guest.page.goto(codeOf(album.password))
  await sees(guest.page, 'This code has been ended')
  expect(guest.page.url()).toBe(clean)
  await expectNoAxeFault(guest.page)

  // As some mail programs and scanners write it.
  await guest.page.goto(codeOf(password).replace('#', '%23'))
  await button(guest.page, 'Search Photos').waitFor()
  expect(guest.page.url()).toBe(clean)
  await button(guest.page, 'Log out').click()
  await guest.page.getByLabel('Album password').waitFor()

  await scanAndGo.click()
  await page.getByText(codeOf(password)).waitFor({ state: 'detached' })
  await guest.page.goto('about:blank')
  await guest.page.goto(codeOf(password))
  await sees(guest.page, 'This code has been ended')
  await givePassword(guest.page, password)
  await button(guest.page, 'Search Photos').waitFor()
})

test('the organiser looks at the album as a guest, is not counted, and comes back', async ({
  visit,
  site,
}) => {
  const album = await site.createAlbum('Lake Party')
  await fillWithRows(site, album, 2)
  const { page, context, signInAs } = await visit({ device: 'phone' })
  await signInAs(album.owner)
  await page.goto(`/manage/${album.albumName}`)
  const look = page.getByRole('link', { name: 'Look as a guest' })
  const [tab] = await Promise.all([context.waitForEvent('page'), look.click()])
  await sees(tab, 'You see the album as a guest does')
  await button(tab, 'Search Photos').waitFor()
  // What comes last.
  await tab.getByRole('heading', { name: 'Share This Album' }).waitFor()
  await expectNoAxeFault(tab)
  for (const owners of ['Manage this album', 'Log out', 'Browse all photos', album.password])
    expect(await tab.getByText(owners, { exact: true }).count(), owners).toBe(0)
  await tab.goto(`${tab.url()}&photos=all`)
  await sees(tab, 'Not open to guests')

  await album.owner.post(`/api/albums/${album.ownerKey}/settings`, { browsing: 'on' })
  await answerThumbnails(tab)
  await tab.goto(`/album/${album.albumName}?as=guest`)
  await tab.getByRole('link', { name: 'Browse all photos' }).click()
  await sees(tab, 'All 2 photos')
  await sees(tab, 'You see the album as a guest does')
  await tab.getByRole('link', { name: 'To the desk' }).click()
  await tab.waitForURL(`${site.url}/manage/${album.albumName}`)
  await look.waitFor()
  const opensAt = new Date(Date.now() + 3_600_000)
  await site.database.db
    .updateTable('albums')
    .set({ opens_at: opensAt })
    .where('slug', '=', album.albumName)
    .execute()
  await tab.goto(`/album/${album.albumName}?as=guest`)
  await tab.getByRole('heading', { name: /^This album opens on / }).waitFor()
  await sees(tab, 'You see the album as a guest does')
  expect((await album.owner.get(`/api/albums/${album.ownerKey}/guests`)).body.hours).toEqual([])
})

const MM = 96 / 25.4
const NAMES = {
  short: 'Ana & Léo',
  long: 'The summer party of the department of applied mathematics and computer science, Rotterdam, 2025 A.D.',
  wide: 'W'.repeat(100),
  arabic: 'حفل زفاف ليلى وعمر في حديقة البرتقال على شاطئ البحر',
  japanese: '夏'.repeat(100),
}

test('posters and cards have room for any name, their code has at least 4 cm, and nothing else is printed', async ({
  visit,
  site,
}) => {
  for (const [kind, name] of Object.entries(NAMES)) {
    const album = await site.createAlbum(name)
    const { page, signInAs } = await visit({ colorScheme: 'dark' })
    await signInAs(album.owner)
    await page.goto(`/manage/${album.albumName}/share`)
    for (const [paper, label] of [
      ['poster', 'Poster, A4'],
      ['cards', 'Four table cards, A4 to cut'],
      ['card', 'One table card, A6'],
    ] as const) {
      await page.getByLabel(label).check()
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      expect(await page.evaluate(outside), `${kind}, ${paper}`).toEqual([])
      const code = await page.locator('.printed path').first().boundingBox()
      expect(code!.width / MM, `${kind}, ${paper}`).toBeGreaterThan(40)
      expect(await page.locator('h1, header, footer').filter({ visible: true }).count()).toBe(0)
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
      expect(pdf.match(/\/Type \/Page\b/g), `${kind}, ${paper}`).toHaveLength(1)
      const [, width, height] = /MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf)!.map(Number)
      const inMm = [width!, height!].map((points) => Math.round((points / 72) * 25.4))
      expect(inMm, paper).toEqual(paper === 'card' ? [105, 148] : [210, 297])
      const { color, background } = await page.locator('.sheet').evaluate((sheet) => ({
        color: getComputedStyle(sheet).color,
        background: getComputedStyle(sheet).backgroundColor,
      }))
      expect({ color, background }).toEqual({ color: 'rgb(0, 0, 0)', background: 'rgb(255, 255, 255)' })
      await page.emulateMedia({ media: 'screen' })
    }
  }
})

/** Runs in the page. @returns the texts and codes that are not wholly on their card, or lie over another part of it */
function outside(): string[] {
  return [...document.querySelectorAll('.printed')].flatMap((card) => {
    const whole = card.getBoundingClientRect()
    const parts = [...card.querySelectorAll('p, .code, .steps')]
    const boxes = parts.map((part) => {
      const range = document.createRange()
      range.selectNodeContents(part)
      return range.getBoundingClientRect()
    })
    return parts.flatMap((part, place) => {
      const { top, bottom, left, right } = boxes[place]!
      const isIn = top >= whole.top && bottom <= whole.bottom && left >= whole.left && right <= whole.right
      const isBelow = place === 0 || top >= boxes[place - 1]!.bottom - 1
      return isIn && isBelow && right > left ? [] : [`${part.className}: ${part.textContent}`]
    })
  })
}
