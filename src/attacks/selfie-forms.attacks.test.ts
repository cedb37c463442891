import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type AttackedSite, startAttackedSite } from '../testing/attacked-site.ts'
import { type BegunForm, beginForm } from '../testing/begun-form.ts'
import { createClient, type TestClient } from '../testing/client.ts'
import { waitUntil } from '../testing/wait.ts'

/** 80 or 200 times this, four times a second, is what an attacker's line may carry. */
const CHUNK = Buffer.alloc(8_000)
/** Twice the longest time after which a guest comes again. The slow forms of this test take five times as long. */
const LONGEST_WAIT_MS = 20_000

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
  options: Parameters<typeof beginForm>[1][],
  path: string,
  refused: number,
): Promise<number[]> {
  const statuses: number[] = []
  for (const one of options) {
    const form = beginForm(site.url + path, one)
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

const guestsFrom = (address: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const guest = createClient(site.url, '', { 'x-forwarded-for': address })
      const { albumName, password } = site.album
      await guest.post(`/api/albums/${albumName}/authenticate`, { password })
      return guest
    }),
  )

/** Searches again after the seconds that each answer names, until there is an answer or so many ms have passed. @returns ms */
async function waitOf(guest: TestClient, mostMs: number): Promise<number> {
  const began = performance.now()
  for (;;) {
    const { status, headers } = await guest.search(site.album.albumName, site.selfie)
    const ms = performance.now() - began
    if (status === 200 || ms > mostMs) return ms
    expect(status).toBe(503)
    await pause(1_000 * Number(headers.get('retry-after')))
  }
}

test('80 connections without a cookie that send forms of 10 MB slowly are refused', async () => {
  expect(await attackWith(Array(80).fill({ address: '198.51.100.7' }), '/api/search-in-album', 80)).toEqual([
    401,
  ])
})

test('80 submissions without a cookie, whose owner key is still to come, get the memory of one selfie', async () => {
  expect(await attackWith(Array(80).fill({ address: '198.51.100.8' }), '/api/submit-photo', 79)).toContain(
    429,
  )
})

test('200 connections with the cookie of one guest get the memory of two selfies', async () => {
  const guest = await site.guest()
  const options = { cookie: guest.cookie(), fields: { albumName: site.album.albumName } }
  expect(await attackWith(Array(200).fill(options), '/api/search-in-album', 198)).toContain(429)
})

test('forms of 10 MB that twenty guests of one address send slowly get no memory that others want', async () => {
  const address = '198.51.100.9'
  const guests = await guestsFrom(address, 20)
  const fields = { albumName: site.album.albumName }
  const options = guests.flatMap((guest) => {
    const one = { address, cookie: guest.cookie(), fields }
    return [one, one]
  })
  expect(await attackWith(options, '/api/search-in-album', 27)).toContain(503)
})

test('thirteen forms of 10 MB that seven guests send slowly do not keep others of their address from searching', async () => {
  const address = '198.51.100.10'
  const slow = await guestsFrom(address, 7)
  const patient = await guestsFrom(address, 3)
  const fields = { albumName: site.album.albumName }
  for (let number = 0; number < 13; number++) {
    const cookie = slow[number % 7]!.cookie()
    const length = number === 0 ? 9_000_000 : 10_400_000
    forms.push(beginForm(`${site.url}/api/search-in-album`, { address, cookie, fields, length }))
  }
  // They have got their memory when calls that came after them are answered.
  for (let round = 0; round < 3; round++)
    await Promise.all(slow.map((guest) => guest.get(`/api/albums/auth-status/${site.album.albumName}`)))
  // 105 KB/s each, more than a form has to.
  const sending = setInterval(() => {
    for (const form of forms) void form.send(Buffer.alloc(26_250))
  }, 250)
  try {
    const waits = await Promise.all(patient.map((guest) => waitOf(guest, LONGEST_WAIT_MS)))
    expect(Math.max(...waits)).toBeLessThan(LONGEST_WAIT_MS)
  } finally {
    clearInterval(sending)
  }
})

test('400 wrong passwords at once, again and again, are refused, and the right one opens the album meanwhile', async () => {
  const stranger = site.stranger()
  const path = `/api/albums/${site.album.albumName}/authenticate`
  const statuses: number[] = []
  const right: number[] = []
  await site.attack(async () => {
    const guesses = Array.from({ length: 400 }, () => stranger.post(path, { password: 'guess' }))
    right.push((await stranger.post(path, { password: site.album.password })).status)
    for (const { status } of await Promise.all(guesses)) statuses.push(status)
    right.push((await stranger.post(path, { password: site.album.password })).status)
    await pause(250)
  })
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(300)
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  expect(new Set(right)).toEqual(new Set([200]))
})
