import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type AttackedSite, startAttackedSite } from '../testing/attacked-site.ts'
import { type BegunForm, beginForm } from '../testing/begun-form.ts'
import { waitUntil } from '../testing/wait.ts'

/** 80 or 200 times this, four times a second, is what an attacker's line may carry. */
const CHUNK = Buffer.alloc(8_000)

let site: AttackedSite
const forms: BegunForm[] = []

beforeAll(async () => {
  site = await startAttackedSite()
})
afterAll(() => site.close())
afterEach(() => {
  for (const form of forms.splice(0)) form.hangUp()
})

/** Begins forms of 10 MB, and sends a little of each again and again while other visitors are measured.
 *  @returns the statuses of the answers; a form that was accepted gets none, because it does not end */
async function attackWith(
  count: number,
  path: string,
  options: Parameters<typeof beginForm>[1],
  refused: number,
): Promise<number[]> {
  const statuses: number[] = []
  for (let begun = 0; begun < count; begun++) {
    const form = beginForm(site.url + path, options)
    forms.push(form)
    void form.answer.then((answer) => {
      if (!(answer instanceof Error)) statuses.push(answer.status)
    })
  }
  await site.attack(async () => {
    for (const form of forms) void form.send(CHUNK)
    await pause(250)
  })
  await waitUntil('the refused forms to be answered', async () => statuses.length >= refused)
  return [...new Set(statuses)]
}

test('80 connections without a cookie that send forms of 10 MB slowly are refused', async () => {
  expect(await attackWith(80, '/api/search-in-album', { address: '198.51.100.7' }, 80)).toEqual([401])
})

test('80 submissions without a cookie, whose owner key is still to come, get the memory of one selfie', async () => {
  expect(await attackWith(80, '/api/submit-photo', { address: '198.51.100.8' }, 79)).toContain(429)
})

test('200 connections with the cookie of one guest get the memory of two selfies', async () => {
  const guest = await site.guest()
  const options = { cookie: guest.cookie(), fields: { albumName: site.album.albumName } }
  expect(await attackWith(200, '/api/search-in-album', options, 198)).toContain(429)
})

test('400 wrong passwords at once, again and again, get no more answers than allowed', async () => {
  const stranger = site.stranger()
  const path = `/api/albums/${site.album.albumName}/authenticate`
  const statuses: number[] = []
  await site.attack(async () => {
    const guesses = Array.from({ length: 400 }, () => stranger.post(path, { password: 'guess' }))
    for (const { status } of await Promise.all(guesses)) statuses.push(status)
    await pause(250)
  })
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(300)
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
})
