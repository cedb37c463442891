import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { lookForNewsEveryMinute } from '../../src/jobs/look-for-news.ts'
import { readSample } from '../../src/testing/client.ts'
import { waitUntil } from '../../src/testing/wait.ts'
import { anotherSelfie, enterAsGuest, searchWith, selfieOfSample1 } from './album-visits.ts'
import type { Site } from './site.ts'
import { siteTest } from './site-test.ts'
import { variants } from './stage.ts'
import { sees } from './visitor.ts'

const test = siteTest()
  .extend('album', { scope: 'file' }, async ({ site }) => {
    const album = await site.createAlbum('Garden Party')
    await site.fill(album, [1])
    return album
  })
  .extend('selfie', { scope: 'file' }, ({ site, album }) => album && selfieOfSample1(site))
test.beforeAll(({ selfie }) => void selfie)

/** The letter to the guest with this text. */
function letterWith(site: Site, text: string): Promise<string> {
  return waitUntil(`a letter with "${text}"`, async () => {
    const folder = join(site.dataDir, 'outbox')
    const names = (await readdir(folder)).filter((name) => name.endsWith('.eml'))
    const letters = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    return letters.find((letter) => letter.includes('guest@example.com') && letter.includes(text))
  })
}

const linkIn = (letter: string, use: string) => new RegExp(`http\\S+#${use}=[\\w-]{43}`).exec(letter)![0]

test('a guest asks for letters, confirms the address, gets one about new photos, and ends them', async ({
  page,
  site,
  visitor,
  album,
  selfie,
}) => {
  const { db } = site.database
  const alerts = () => db.selectFrom('photo_alerts').selectAll().execute()
  await enterAsGuest(visitor, album)
  await searchWith(page, selfie)
  await page.getByRole('button', { name: 'Write to me' }).click()
  const send = page.getByRole('button', { name: 'Send the first letter' })
  await page.getByLabel('Email Address').fill('guest@example.com')
  expect(await send.isDisabled(), 'without the consent').toBe(true)
  await page.getByLabel('I agree that my address').check()
  await send.click()
  await sees(page, 'Please check your email')
  const kept = await page.evaluate(() => JSON.stringify(localStorage))
  expect(kept).not.toContain('guest@example.com')

  const letter = await letterWith(site, 'Please confirm your email address')
  await page.goto(linkIn(letter, 'confirm'))
  expect(await alerts()).toMatchObject([{ confirmed_at: null }])
  await page.getByRole('button', { name: 'Yes, write to me' }).click()
  await sees(page, 'Your address is confirmed')

  await page.getByRole('link', { name: 'Open the album' }).click()
  await page.getByRole('button', { name: 'Search Again' }).waitFor()
  await page.getByText('We write to you when there are new photos of you, until').waitFor()
  expect(await page.getByText('They begin when').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Send it again' }).count()).toBe(0)

  const more = (await variants(await readSample(1), 2)).slice(1)
  await site.fill(album, more)
  const deps = { ...site.context.jobDeps, siteUrl: site.url }
  await lookForNewsEveryMinute.run(deps, {}, { attempt: 1 })
  const news = await letterWith(site, '1 new photo of you in Garden Party')
  expect(news).toContain(`${site.url}/album/${album.albumName}`)
  expect(news).not.toContain(album.password)
  expect(news).toMatch(/^List-Unsubscribe:\s+<http\S+\?token=/m)
  await page.goto(linkIn(news, 'end'))
  expect(await alerts()).toHaveLength(1)
  await page.getByRole('button', { name: 'End these letters' }).click()
  await sees(page, 'The letters have ended')
  expect(await alerts()).toEqual([])

  await page.goto(`/album/${album.albumName}`)
  await page.getByRole('button', { name: 'Search Again' }).waitFor()
  await page.getByRole('button', { name: 'Write to me' }).waitFor()
  expect(await page.getByText('You have asked for letters').count()).toBe(0)
  // Nobody has pressed anything, so the page does not scroll there.
  expect(await page.evaluate(() => document.activeElement?.id)).not.toBe('photo-alert')
})

test('the page ends the letters that were asked for in this browser, also when the guest opts out', async ({
  page,
  site,
  visitor,
  album,
  selfie,
}) => {
  const ask = async () => {
    await page.getByLabel('Email Address').fill('kim@example.com')
    await page.getByLabel('I agree that my address').check()
    await page.getByRole('button', { name: 'Send the first letter' }).click()
    await sees(page, 'Please check your email')
  }
  const count = async () => (await site.database.db.selectFrom('photo_alerts').select('id').execute()).length
  const own = await anotherSelfie(selfie)
  await enterAsGuest(visitor, album)
  await searchWith(page, own)
  await page.getByRole('button', { name: 'Write to me' }).click()
  await ask()
  await page.reload()
  await sees(page, 'Letters about new photos')
  await page.getByText('They begin when you press the link in the first one.').waitFor()
  await page.getByRole('button', { name: 'End the letters' }).click()
  await page.getByRole('button', { name: 'Write to me' }).click()
  expect(await count()).toBe(0)
  await ask()
  expect(await count()).toBe(1)
  await page.getByRole('button', { name: 'Take me out of this album' }).click()
  await page.getByRole('button', { name: /^Hide \d+ face/ }).click()
  await sees(page, 'The letters about new photos of you have ended.')
  expect(await count()).toBe(0)
})
