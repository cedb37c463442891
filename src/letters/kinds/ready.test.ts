import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { layOut } from '../layout.ts'
import { compose as composed, type ReadyData } from './ready.ts'

const album: ReadyData = {
  isConfirmed: true,
  albumName: 'My Summer Wedding, 2025',
  links: {
    plain: 'https://photos.example.com/album/my-summer-wedding-2025',
    open: 'https://photos.example.com/album/my-summer-wedding-2025#letter=abc',
    owner: 'https://photos.example.com/album/my-summer-wedding-2025#owner-key=secret',
    stop: 'https://photos.example.com/stop-letters#xyz',
    stopUrl: 'https://photos.example.com/stop-letters?token=xyz',
  },
  password: 'kamo-lupi-tade-rona',
  isForChildren: false,
  photos: 1843,
  faces: 7204,
  photosWithoutFace: 112,
  skipped: { total: 0, first: [] },
}
const { links } = album
const compose = (data: ReadyData) => layOut(composed(data))
const skippedFiles = (total: number) => ({
  total,
  first: Array.from({ length: Math.min(total, 50) }, (_, n) => ({
    filename: `IMG_${n + 1}.heic`,
    reason: 'Only JPEG and PNG',
  })),
})

test('contains every fact, in the text and in the HTML', () => {
  const { subject, text, html } = compose({ ...album, skipped: skippedFiles(2) })
  expect(subject).toBe('Your album is ready: My Summer Wedding, 2025')
  for (const part of [text, html])
    for (const fact of [
      album.albumName,
      links.plain,
      album.password,
      '1,843',
      '7,204',
      '112',
      '2 skipped files',
      'IMG_1.heic',
      'IMG_2.heic',
      'Only JPEG and PNG',
    ])
      expect(part).toContain(fact)
  expect(html).toContain(`<a href="${links.plain}"`)
})

test('tells parents, not guests, how to search in an album for children', () => {
  const { text } = compose({ ...album, isForChildren: true })
  expect(text).toContain('Only a parent or guardian may')
  expect(text).not.toContain('upload a selfie and see')
})

test('has the private link behind a button, and nowhere as a text that is copied with the rest', () => {
  const { text, html } = compose(album)
  expect(text).not.toContain('owner-key')
  expect(html!.split(links.owner)).toHaveLength(2)
  expect(html).toContain(`<a href="${links.owner}"`)
})

test('lists the first 50 skipped files and counts the rest', () => {
  const fifty = compose({ ...album, skipped: skippedFiles(50) })
  const many = compose({ ...album, skipped: skippedFiles(1062) })
  for (const part of ['text', 'html'] as const) {
    expect(fifty[part].match(/IMG_/g)).toHaveLength(50)
    expect(fifty[part]).not.toContain('more')
    expect(many[part].match(/IMG_/g)).toHaveLength(50)
    expect(many[part]).toContain('1,062 skipped files')
    expect(many[part]).toContain('...and 1,012 more')
  }
  expect(compose({ ...album, skipped: skippedFiles(1) }).text).toContain('1 skipped file:')
})

test('escapes what an owner typed and the names of files', () => {
  const { html } = compose({
    ...album,
    albumName: `<script>alert("x")</script> Anna & Tom's`,
    links: { ...links, plain: 'https://photos.example.com/album/"><img src=x>' },
    password: '<b>&"\'',
    skipped: { total: 1, first: [{ filename: '<img src=x onerror=alert(1)>.jpg', reason: '<i>reason</i>' }] },
  })
  for (const tag of ['<script', '<img', '<b>', '<i>']) expect(html).not.toContain(tag)
  expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; Anna &amp; Tom&#39;s')
})

test('removes line breaks and direction marks from names', () => {
  const { subject, text, html } = compose({
    ...album,
    albumName: 'Wedding\r\nBcc: evil@example.com',
    skipped: {
      total: 1,
      first: [{ filename: 'photo\u202egpj.exe\nPassword: forged', reason: 'two\nlines' }],
    },
  })
  expect(subject).toBe('Your album is ready: Wedding Bcc: evil@example.com')
  expect(text).toContain('- "photo gpj.exe Password: forged": two lines\n')
  expect(text.match(/^Password:/gm)).toHaveLength(1)
  expect(text + html).not.toMatch(/[\u202a-\u202e]/)
})

test('loads nothing from other servers, and has the name of the site', () => {
  const { html } = compose({ ...album, skipped: skippedFiles(3) })
  expect(html).not.toMatch(/<(img|link|script|iframe)|url\(|@import/)
  expect(html).toContain('</span>Inframe</p>')
})

describe('to an address that is not confirmed', () => {
  const unconfirmed = { ...album, isConfirmed: false }

  test('it has link, password, counts and the way to stop, in the text and in the HTML', () => {
    const { subject, text, html } = compose({ ...unconfirmed, skipped: skippedFiles(1062) })
    expect(subject).toBe('Your photo album is ready')
    for (const part of [text, html])
      for (const fact of [links.open, album.password, '1,843', '1,062', 'This was not me', links.stop])
        expect(part).toContain(fact)
    expect(text + html).not.toMatch(/IMG_|owner-key/)
  })

  test('what is for guests can be copied whole and has no token, and the link with the token is a button', () => {
    const { text, html } = compose(unconfirmed)
    expect(text).toContain(`\n${links.plain}\nPassword: ${album.password}\n\n`)
    expect(text.split('\n').filter((line) => line.includes('#letter='))).toEqual([links.open])
    // Nobody copies the address of a button by accident.
    expect(html.replaceAll(/<a [^>]*>/g, '')).not.toContain('#letter=')
  })

  test('it isolates a right-to-left name, and escapes the name', () => {
    const { text, html } = compose({ ...unconfirmed, albumName: 'حفل زفاف & more' })
    expect(text).toContain('The name of the album is \u2068"حفل زفاف & more"\u2069.')
    expect(html).toContain('<bdi>&quot;حفل زفاف &amp; more&quot;</bdi>')
  })

  test('it has the same subject and the same links, whatever the album is called', () => {
    const usual = compose(unconfirmed)
    // Everything that a mail program turns into a link of its own.
    const linksIn = (part: string) => part.match(/[^\s"<>]*(:\/\/|www\.|@)[^\s"<>]*/g)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (words) => {
        const letter = compose({ ...unconfirmed, albumName: `http://evil.example/ ${words}` })
        expect(letter.subject).toBe(usual.subject)
        expect(linksIn(letter.text)).toEqual(linksIn(usual.text))
        expect(linksIn(letter.html)).toEqual(linksIn(usual.html))
        expect(letter.text.split('\n')).toHaveLength(usual.text.split('\n').length)
      }),
    )
  })
})

test.each([
  [59, undefined],
  [60, '1 minute'],
  [7_500, '2 hours 5 minutes'],
  // An outage, not the photos.
  [86_400, undefined],
])('the work of %d seconds is said in a sentence, or not at all: %s', (seconds, time) => {
  const { text } = compose({ ...album, work: { photos: 1_500, seconds } })
  expect(/and finding the faces took (.*)\.$/m.exec(text)?.[1]).toBe(time)
})
