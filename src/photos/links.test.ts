import { expect, test } from 'vitest'
import { createKeyring } from '../keyring.ts'
import { createPhotoLinks } from './links.ts'

const PHOTO = '7b1f4a52-5a0c-4b7e-9f6d-2a8a3c1de001'
const OTHER = '7b1f4a52-5a0c-4b7e-9f6d-2a8a3c1de002'
const NOW = Date.UTC(2026, 5, 1, 12, 2, 0)
const MINUTE = 60_000
const FORGED = { name: 'AppError', code: 'FORBIDDEN', message: 'This link is not valid' }
const EXPIRED = { ...FORGED, message: 'This link has expired. Open the album again.' }

const links = createPhotoLinks({ keyring: createKeyring(['secret']) })
const queryOf = (address: string) => Object.fromEntries(new URL(address, 'http://inframe').searchParams)

test('opens the photo in every size, and gives the password version', () => {
  const { url, thumbUrl, previewUrl, downloadUrl } = links.sign(PHOTO, 3, NOW)
  for (const [address, size] of [
    [thumbUrl, 'thumb'],
    [previewUrl, 'preview'],
    [url, 'full'],
    [downloadUrl, 'download'],
  ] as const) {
    expect(new URL(address, 'http://inframe').pathname).toBe(`/photos/${PHOTO}/${size}`)
    expect(links.verify(PHOTO, queryOf(address), NOW)).toMatchObject({ passwordVersion: 3 })
    expect(address.length).toBeLessThan(110)
  }
})

test('is valid for an hour, and at most five minutes longer', () => {
  const query = queryOf(links.sign(PHOTO, 1, NOW).url)
  expect(links.verify(PHOTO, query, NOW + 60 * MINUTE)).toMatchObject({ passwordVersion: 1 })
  expect(() => links.verify(PHOTO, query, NOW + 65 * MINUTE)).toThrow(expect.objectContaining(EXPIRED))
})

test('is the same address for searches within the same few minutes', () => {
  expect(links.sign(PHOTO, 1, NOW + 2 * MINUTE)).toEqual(links.sign(PHOTO, 1, NOW))
  expect(links.sign(PHOTO, 1, NOW + 5 * MINUTE)).not.toEqual(links.sign(PHOTO, 1, NOW))
})

test('opens only the photo that it was signed for', () => {
  const query = queryOf(links.sign(PHOTO, 1, NOW).thumbUrl)
  expect(() => links.verify(OTHER, query, NOW)).toThrow(expect.objectContaining(FORGED))
})

test('is not valid when any part of it is changed, missing or repeated', () => {
  const { e, v, s } = queryOf(links.sign(PHOTO, 1, NOW).url) as { e: string; v: string; s: string }
  const lastBitsChanged = s.slice(0, -1) + String.fromCharCode(s.charCodeAt(s.length - 1) + 1)
  for (const query of [
    { e: String(Number(e) + 3600), v, s },
    { e: `${e}0`, v, s },
    { e: `0${e}`, v, s },
    { e, v: '2', s },
    { e, v, s: s.slice(0, -1) },
    { e, v, s: `${s}A` },
    { e, v, s: lastBitsChanged },
    { e, v, s: 'é'.repeat(11) },
    { e, v, s: '' },
    { e, v, s: [s, s] },
    { e, v },
    {},
  ])
    expect(() => links.verify(PHOTO, query, NOW), JSON.stringify(query)).toThrow(
      expect.objectContaining(FORGED),
    )
})

test('says "not valid" for a forged link that has also expired, so that it reveals nothing', () => {
  expect(() => links.verify(PHOTO, { e: '1', v: '1', s: 'x'.repeat(22) }, NOW)).toThrow(
    expect.objectContaining(FORGED),
  )
})
