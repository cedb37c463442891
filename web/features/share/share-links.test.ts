import { expect, test } from 'vitest'
import { shareLinks } from './share-links.ts'

const links = shareLinks({
  displayName: 'Ana & Léo ❤ 100%',
  address: 'https://photos.example/album/ana-leo?x=1',
  password: 'sun+moon#7',
})

test('the message names album, address and password, whatever characters they have', () => {
  const url = new URL(links.message)
  expect(url.origin).toBe('https://wa.me')
  expect(url.searchParams.get('text')).toBe(
    'Find your photos from Ana & Léo ❤ 100%!\nhttps://photos.example/album/ana-leo?x=1\nPassword: sun+moon#7',
  )
})

test('the email has a subject and the same message', () => {
  const url = new URL(links.email)
  expect(url.protocol).toBe('mailto:')
  expect(url.searchParams.get('subject')).toBe('Photos from Ana & Léo ❤ 100%')
  expect(url.searchParams.get('body')).toContain('Password: sun+moon#7')
})

test('the public network gets the address and never the password', () => {
  expect(new URL(links.network).searchParams.get('url')).toBe('https://photos.example/album/ana-leo?x=1')
  expect(decodeURIComponent(links.network)).not.toContain('sun+moon')
})
