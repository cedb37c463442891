import { expect } from 'vitest'
import { PHOTOS_LOADED_AT_ONCE } from '../../src/contract/limits.ts'
import { fillWithRows, givePassword } from './album-visits.ts'
import { expectNoAxeFault } from './axe.ts'
import { siteTest } from './site-test.ts'
import { answerThumbnails } from './thumbnails.ts'
import { button, holdBack, sees } from './visitor.ts'

const test = siteTest()

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
  await guest.page.goto(codeOf(album.password))
  await button(guest.page, 'Search Photos').waitFor()
  expect(guest.page.url()).toBe(clean)
  await button(guest.page, 'Log out').click()
  await guest.page.getByLabel('Album password').waitFor()
  expect(await guest.page.getByText('This code has been ended').count()).toBe(0)

  const { page: cookieless } = await visit()
  await cookieless.addInitScript(() => {
    const { fetch } = window
    window.fetch = (url, options) => fetch(url, { ...options, credentials: 'omit' })
  })
  await cookieless.goto(codeOf(album.password))
  await cookieless.getByLabel('Album password').waitFor()
  expect(await cookieless.getByText('This code has been ended').count()).toBe(0)

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
    const { page, signInAs } = await visit()
    await signInAs(album.owner)
    await page.goto(`/manage/${album.albumName}/share`)
    for (const [paper, label] of [
      ['poster', 'Poster, A4'],
      ['cards', 'Four table cards, A4 to cut'],
      ['card', 'One table card, A6'],
    ] as const) {
      await page.getByLabel(label).check()
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      // The name gets its size again when the fonts are there.
      await expect.poll(() => page.evaluate(outside), { message: `${kind}, ${paper}` }).toEqual([])
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

test('an organiser chooses a range to hide, mends the clock of a camera, tries again what was given up, and renames the album', async ({
  site,
  visit,
}) => {
  const album = await site.createAlbum('Two Cameras')
  await fillWithRows(site, album, 4)
  const { db } = site.database
  const taken: [camera: string, time: string][] = [
    ['A', '14:00:00'],
    ['A', '15:00:00'],
    ['B', '13:02:00'],
    ['B', '14:30:00'],
  ]
  for (const [index, [camera, time]] of taken.entries())
    await db
      .updateTable('photos')
      .set({ camera, taken_at: `2025-08-19T${time}` })
      .where('filename', '=', `${index + 1}.jpg`)
      .execute()
  const { page, ...visitor } = await visit({})
  await answerThumbnails(page)
  await visitor.signInAs(album.owner)
  await page.goto(`/manage/${album.albumName}/photos`)
  const names = () => page.getByRole('link', { name: /^Open / }).allInnerTexts()
  const inOrder = async (order: string) =>
    await expect.poll(async () => (await names()).join().replace(/\D+/g, '')).toBe(order)
  await inOrder('3142')

  await page.getByRole('button', { name: 'Camera clocks' }).click()
  await page.getByLabel('Camera to set right').selectOption('B')
  // The photos of the two cameras come apart.
  await expect.poll(() => page.getByRole('radio').count()).toBe(4)
  await page.getByRole('radio').nth(0).check({ force: true })
  await page.getByRole('radio').nth(2).check({ force: true })
  await expect.poll(() => page.getByLabel('Minutes').inputValue()).toBe('58')
  await expectNoAxeFault(page)
  await page.getByRole('button', { name: 'Shift the clock' }).click()
  await inOrder('1324')
  await page.getByRole('button', { name: 'Undo the shift' }).click()
  await inOrder('3142')

  await page.getByRole('button', { name: 'Select' }).click()
  const boxes = page.getByRole('checkbox', { name: /jpg$/ })
  await boxes.nth(0).click({ force: true })
  await boxes.nth(2).click({ force: true, modifiers: ['Shift'] })
  await sees(page, '3 selected')
  // Their list may be asked for before they are hidden.
  const { held, letGo } = await holdBack(page, '**/trpc/albums.hidePhotos*')
  await page.getByRole('button', { name: 'Hide' }).click()
  await held
  await page.getByLabel('Which photos').selectOption('hidden')
  await sees(page, 'No photos here')
  letGo()
  await sees(page, '3 photos')
  expect(new URL(page.url()).searchParams.get('which')).toBe('hidden')
  await page
    .getByRole('link', { name: /^Open / })
    .first()
    .click()
  await page.getByRole('button', { name: 'Details' }).click()
  await sees(page, 'What was seen in this photo')
  await expectNoAxeFault(page)

  await db
    .updateTable('photos')
    .set({ state: 'given_up', face_count: null, given_up_reason: 'It was too dark' })
    .where('filename', '=', '2.jpg')
    .execute()
  await page.goto(`/manage/${album.albumName}`)
  await page.getByRole('link', { name: 'Hidden: 3 photos' }).waitFor()
  await expectNoAxeFault(page)
  await page.getByRole('button', { name: 'Try them again' }).click()
  await page.getByRole('link', { name: /^(Waiting|Could not be).*: 1 photo$/ }).waitFor()
  await sees(page, '1 photo is tried again')

  await page.getByRole('link', { name: /^Settings/ }).click()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByLabel('New name').fill('Garden Party')
  await expectNoAxeFault(page)
  await page.getByRole('button', { name: 'Save the name' }).click()
  await page.getByRole('region', { name: 'Name of this album' }).getByText('Garden Party').waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Rename')
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('heading', { name: 'Garden Party', level: 1 }).waitFor()
})

test('all photos of a large album come as the organiser scrolls to its end', async ({ site, visit }) => {
  const album = await site.createAlbum('Long Night')
  await fillWithRows(site, album, PHOTOS_LOADED_AT_ONCE + 1)
  const { page, signInAs } = await visit()
  await answerThumbnails(page)
  await signInAs(album.owner)
  await page.goto(`/manage/${album.albumName}/photos`)
  await page.getByRole('link', { name: 'Open 1.jpg' }).waitFor()
  const last = page.getByRole('link', { name: `Open ${PHOTOS_LOADED_AT_ONCE + 1}.jpg` })
  await expect
    .poll(async () => {
      await page.keyboard.press('End')
      return await last.count()
    })
    .toBe(1)
})
