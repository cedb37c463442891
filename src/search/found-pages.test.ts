import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKeyring } from '../keyring.ts'
import { foundPage, photosOnPage } from './found-pages.ts'

const ALBUM = randomUUID()
const PHOTOS = [
  { id: randomUUID(), similarity: 99.87 },
  { id: randomUUID(), similarity: 80 },
]
const REFUSED = { code: 'BAD_REQUEST', message: 'This is not a page of this album' }
const keyring = createKeyring(['secret'])
const page = foundPage(keyring, ALBUM, PHOTOS)

test('a page names its photos with their similarities, in order', () => {
  expect(photosOnPage(keyring, ALBUM, page)).toEqual(PHOTOS)
  expect(photosOnPage(keyring, ALBUM, foundPage(keyring, ALBUM, []))).toEqual([])
})

test('a page of 200 photos fits into an address', () => {
  const many = Array.from({ length: 200 }, () => ({ id: randomUUID(), similarity: 100 }))
  expect(foundPage(keyring, ALBUM, many).length).toBeLessThan(5_000)
})

test('a page is refused for another album, and when any part of it was changed', () => {
  const bytes = Buffer.from(page, 'base64url')
  const changed = [...bytes.keys()].map((at) => {
    const copy = Buffer.from(bytes)
    copy[at] = copy[at]! ^ 1
    return copy.toString('base64url')
  })
  const other = Buffer.concat([bytes, Buffer.alloc(18)]).toString('base64url')
  for (const forged of [...changed, other, page.slice(0, -24), page.slice(0, 10), 'x', ''])
    expect(() => photosOnPage(keyring, ALBUM, forged), forged).toThrow(expect.objectContaining(REFUSED))
  expect(() => photosOnPage(keyring, randomUUID(), page)).toThrow(expect.objectContaining(REFUSED))
})
