import { expect, test } from 'vitest'
import { type AlbumReady, albumReadyLetter } from './ready-letter.ts'

const album: AlbumReady = {
  albumName: 'My Summer Wedding, 2025',
  link: 'https://photos.example.com/album/my-summer-wedding-2025',
  password: 'kamo-lupi-tade-rona',
  photos: 1843,
  faces: 7204,
  photosWithoutFace: 112,
  skipped: [],
  ownerLink: 'https://photos.example.com/album/my-summer-wedding-2025#owner-key=secret',
}
const skippedFiles = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ filename: `IMG_${n + 1}.heic`, reason: 'Only JPEG and PNG' }))

test('contains every fact, in the text and in the HTML', () => {
  const { subject, text, html } = albumReadyLetter({ ...album, skipped: skippedFiles(2) })
  expect(subject).toBe('Your album is ready: My Summer Wedding, 2025')
  for (const part of [text, html])
    for (const fact of [
      album.albumName,
      album.link,
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
  expect(html).toContain(`<a href="${album.link}"`)
})

test('has the private link behind a button, and nowhere as a text that is copied with the rest', () => {
  const { text, html } = albumReadyLetter(album)
  expect(text).not.toContain('owner-key')
  expect(html!.split(album.ownerLink)).toHaveLength(2)
  expect(html).toContain(`<a href="${album.ownerLink}"`)
})

test('lists the first 50 skipped files and counts the rest', () => {
  const fifty = albumReadyLetter({ ...album, skipped: skippedFiles(50) })
  const many = albumReadyLetter({ ...album, skipped: skippedFiles(1062) })
  for (const part of ['text', 'html'] as const) {
    expect(fifty[part].match(/IMG_/g)).toHaveLength(50)
    expect(fifty[part]).not.toContain('more')
    expect(many[part].match(/IMG_/g)).toHaveLength(50)
    expect(many[part]).toContain('1,062 skipped files')
    expect(many[part]).toContain('...and 1,012 more')
  }
  expect(albumReadyLetter({ ...album, skipped: skippedFiles(1) }).text).toContain('1 skipped file:')
})

test('escapes what an owner typed and the names of files', () => {
  const { html } = albumReadyLetter({
    ...album,
    albumName: `<script>alert("x")</script> Anna & Tom's`,
    link: 'https://photos.example.com/album/"><img src=x>',
    password: '<b>&"\'',
    skipped: [{ filename: '<img src=x onerror=alert(1)>.jpg', reason: '<i>reason</i>' }],
  })
  for (const tag of ['<script', '<img', '<b>', '<i>']) expect(html).not.toContain(tag)
  expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; Anna &amp; Tom&#39;s')
})

test('removes line breaks and direction marks from names', () => {
  const { subject, text, html } = albumReadyLetter({
    ...album,
    albumName: 'Wedding\r\nBcc: evil@example.com',
    skipped: [{ filename: 'photo\u202egpj.exe\nPassword: forged', reason: 'two\nlines' }],
  })
  expect(subject).toBe('Your album is ready: Wedding Bcc: evil@example.com')
  expect(text).toContain('- "photo gpj.exe Password: forged": two lines\n')
  expect(text.match(/^Password:/gm)).toHaveLength(1)
  expect(text + html).not.toMatch(/[\u202a-\u202e]/)
})

test('loads nothing from other servers, and has the name of the site', () => {
  const { html } = albumReadyLetter({ ...album, skipped: skippedFiles(3) })
  expect(html).not.toMatch(/<(img|link|script|iframe)|url\(|@import/)
  expect(html).toContain('</span>Inframe</p>')
})
