import { expect, test } from 'vitest'
import { type Shared, shareLinks } from './share-links.ts'

const album = { displayName: 'Ana & Léo ❤ 100%', address: 'https://photos.example/album/ana-leo?x=1' }
const byOwner: Shared = { ...album, password: 'sun+moon#7' }
const byGuest: Shared = { ...album, password: null }

test("an owner's message names album, address and password, whatever characters they have", () => {
  const url = new URL(shareLinks(byOwner).message)
  expect(url.origin).toBe('https://wa.me')
  expect(url.searchParams.get('text')).toBe(
    'Find your photos from Ana & Léo ❤ 100%!\nhttps://photos.example/album/ana-leo?x=1\nPassword: sun+moon#7',
  )
})

test("a guest's message leaves the password to the owner", () => {
  const links = shareLinks(byGuest)
  expect(new URL(links.message).searchParams.get('text')).toBe(
    'Find your photos from Ana & Léo ❤ 100%!\nhttps://photos.example/album/ana-leo?x=1',
  )
  expect(new URL(links.email).searchParams.get('body')).not.toContain('Password')
})

test('the email has a subject and the same message, with the line breaks of a mail', () => {
  const url = new URL(shareLinks(byOwner).email)
  expect(url.protocol).toBe('mailto:')
  expect(url.searchParams.get('subject')).toBe('Photos from Ana & Léo ❤ 100%')
  expect(url.searchParams.get('body')).toBe(
    'Find your photos from Ana & Léo ❤ 100%!\r\nhttps://photos.example/album/ana-leo?x=1\r\nPassword: sun+moon#7',
  )
})

test('the public network gets the address and never the password', () => {
  const { network } = shareLinks(byOwner)
  expect(new URL(network).searchParams.get('url')).toBe('https://photos.example/album/ana-leo?x=1')
  expect(decodeURIComponent(network)).not.toContain('sun+moon')
})
