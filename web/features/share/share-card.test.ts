import { expect, test } from 'vitest'
import { type Shared, shareLinks } from './share-card.tsx'

const album: Shared = {
  displayName: 'Ana & Léo ❤ 100%',
  address: 'https://photos.example/album/ana-leo?x=1',
  password: 'sun+moon#7',
}

test('the message names album, address and password, whatever characters they have', () => {
  const url = new URL(shareLinks(album).message)
  expect(url.origin).toBe('https://wa.me')
  expect(url.searchParams.get('text')).toBe(
    'Find your photos from Ana & Léo ❤ 100%!\nhttps://photos.example/album/ana-leo?x=1\nPassword: sun+moon#7',
  )
})

test('the email has a subject and the same message, with the line breaks of a mail', () => {
  const url = new URL(shareLinks(album).email)
  expect(url.protocol).toBe('mailto:')
  expect(url.searchParams.get('subject')).toBe('Photos from Ana & Léo ❤ 100%')
  expect(url.searchParams.get('body')).toBe(
    'Find your photos from Ana & Léo ❤ 100%!\r\nhttps://photos.example/album/ana-leo?x=1\r\nPassword: sun+moon#7',
  )
})

test('the link of the professional network takes the address and never the password', () => {
  const { network } = shareLinks(album)
  expect(new URL(network).searchParams.get('url')).toBe('https://photos.example/album/ana-leo?x=1')
  expect(decodeURIComponent(network)).not.toContain('sun+moon')
})
