import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AlbumReadyForStranger, unconfirmedLetter } from './unconfirmed-letter.ts'

const album: AlbumReadyForStranger = {
  albumName: 'My Summer Wedding, 2025',
  link: 'https://photos.example.com/album/my-summer-wedding-2025',
  ownLink: 'https://photos.example.com/album/my-summer-wedding-2025#letter=abc',
  password: 'kamo-lupi-tade-rona',
  photos: 1843,
  faces: 7204,
  photosWithoutFace: 112,
  skippedFiles: 0,
  stopLink: 'https://photos.example.com/stop-letters#xyz',
}

test('contains link, password, counts and the way to stop, in the text and in the HTML', () => {
  const { subject, text, html } = unconfirmedLetter({ ...album, skippedFiles: 1062 })
  expect(subject).toBe('Your photo album is ready')
  for (const part of [text, html])
    for (const fact of [
      'My Summer Wedding, 2025',
      album.ownLink,
      album.password,
      '1,843',
      '7,204',
      '112',
      '1,062',
      'Skipped files',
      'This was not me',
      album.stopLink,
    ])
      expect(part).toContain(fact)
  expect(html).toContain(`<a href="${album.ownLink}"`)
  expect(html).toContain(`<a href="${album.stopLink}">This was not me</a>`)
})

test('what is for guests can be copied whole and has no token, and the link with the token is a button', () => {
  const { text, html } = unconfirmedLetter(album)
  expect(text).toContain(`\n${album.link}\nPassword: ${album.password}\n\n`)
  expect(text.split('\n').filter((line) => line.includes('#letter='))).toEqual([album.ownLink])
  // Nobody copies the address of a button by accident.
  expect(html!.replaceAll(/<a [^>]*>/g, '')).not.toContain('#letter=')
})

test('isolates a right-to-left name, and escapes the name', () => {
  const { text, html } = unconfirmedLetter({ ...album, albumName: 'حفل زفاف & more' })
  expect(text).toContain('Its name is \u2068"حفل زفاف & more"\u2069.')
  expect(html).toContain('<bdi>&quot;حفل زفاف &amp; more&quot;</bdi>')
})

test('has the same subject and the same links, whatever the album is called', () => {
  const usual = unconfirmedLetter(album)
  // Everything that a mail program turns into a link of its own.
  const links = (part: string) => part.match(/[^\s"<>]*(:\/\/|www\.|@)[^\s"<>]*/g)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (words) => {
      const { subject, text, html } = unconfirmedLetter({
        ...album,
        albumName: `http://evil.example/ ${words}`,
      })
      expect(subject).toBe(usual.subject)
      expect(links(text)).toEqual(links(usual.text))
      expect(links(html)).toEqual(links(usual.html))
      expect(text.split('\n')).toHaveLength(usual.text.split('\n').length)
    }),
  )
})
