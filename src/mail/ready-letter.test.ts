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

test('is plain ASCII in short lines, with what is for guests as one block', () => {
  const { text } = albumReadyLetter(album)
  expect(text).toMatch(/^[\n -~]*$/)
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(76)
  expect(text).toContain(
    `\n\nFind your photos from "My Summer Wedding, 2025"!\n${album.link}\nPassword: ${album.password}\n\n`,
  )
  expect(text).not.toContain('skipped')
  expect(albumReadyLetter(album).html).not.toContain('skipped')
})

test.each([
  [1, 60, 'Uploading 1 photo and finding the faces took 1 minute.'],
  [4812, 850, 'Uploading 4,812 photos and finding the faces took 14 minutes.'],
  [4812, 3599, 'Uploading 4,812 photos and finding the faces took 1 hour.'],
  [4812, 7400, 'Uploading 4,812 photos and finding the faces took 2 hours 3 minutes.'],
])('says how long %i photos took: %i seconds', (photos, seconds, sentence) => {
  const { text, html } = albumReadyLetter({ ...album, work: { photos, seconds } })
  expect(text.split('\n')).toContain(sentence)
  expect(html).toContain(`>${sentence}<`)
})

test.each([
  ['it is unknown', undefined],
  ['it was less than a minute', { photos: 2, seconds: 59 }],
  ['something was out of order for a day', { photos: 2, seconds: 24 * 3600 }],
])('says nothing about the time when %s', (_why, work) => {
  const { text, html } = albumReadyLetter({ ...album, work })
  expect(text + html).not.toContain('took')
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

test('isolates a right-to-left name, so that it does not reorder its line', () => {
  const { text, html } = albumReadyLetter({
    ...album,
    albumName: 'حفل زفاف 🎉',
    skipped: [{ filename: 'תמונה 1.jpg', reason: 'File too large' }],
  })
  expect(text).toContain('Your album \u2068"حفل زفاف 🎉"\u2069 is ready.')
  expect(text).toContain('- \u2068"תמונה 1.jpg"\u2069: File too large')
  expect(html).toContain('<bdi>حفل زفاف 🎉</bdi>')
  expect(html).toMatch(/<bdi[^>]*>תמונה 1\.jpg<\/bdi>/)
})

test('loads nothing from other servers, and has the name of the site', () => {
  const { html } = albumReadyLetter({ ...album, skipped: skippedFiles(3) })
  expect(html).not.toMatch(/<(img|link|script|iframe)|url\(|@import/)
  expect(html).toContain('</span>Inframe</p>')
})
