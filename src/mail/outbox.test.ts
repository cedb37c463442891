import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOfFile } from '../testing/folder-of-file.ts'
import { LETTER } from '../testing/mail-server.ts'
import { createOutbox } from './outbox.ts'

const parent = await folderOfFile()

async function newOutbox() {
  const folder = join(parent, randomUUID())
  const outbox = await createOutbox({
    folder,
    sender: { from: 'Inframe <inframe@example.com>', domain: 'example.com' },
  })
  return { folder, outbox, read: (id: string) => readFile(join(folder, `${id}.eml`), 'utf8') }
}

/** The headers, one line each. */
const headersOf = (message: string) =>
  message
    .slice(0, message.indexOf('\n\n'))
    .replaceAll(/\n[ \t]/g, ' ')
    .split('\n')

test('writes a letter with its text and its HTML, readable only by the account that runs Inframe', async () => {
  const { folder, outbox, read } = await newOutbox()
  await outbox.send({ ...LETTER, subject: 'Your album is ready: Wedding' })
  expect(await readdir(folder)).toEqual(['round-1.eml'])
  expect((await stat(join(folder, 'round-1.eml'))).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  const message = await read('round-1')
  expect(headersOf(message)).toEqual(
    expect.arrayContaining([
      'From: Inframe <inframe@example.com>',
      'To: owner@example.com',
      'Subject: Your album is ready: Wedding',
      'Message-ID: <round-1@example.com>',
      'Auto-Submitted: auto-generated',
    ]),
  )
  expect(message).toContain('Content-Type: text/plain; charset=utf-8\n')
  expect(message).toContain(`\n\n${LETTER.text}`)
  expect(message).toContain('Content-Type: text/html; charset=utf-8\n')
  expect(message).toContain(`\n\n${LETTER.html}`)
  expect(message.indexOf('text/plain')).toBeLessThan(message.indexOf('text/html'))
  expect(message).not.toContain('\r')
})

test('keeps a long link whole beside emoji and right-to-left names', async () => {
  const { outbox, read } = await newOutbox()
  const link = `http://localhost:3000/album/${'a-long-name-'.repeat(12)}?a=b`
  await outbox.send({ ...LETTER, text: `حفل 🎉 תמונה\n${link}\n`, html: `<p>حفل 🎉</p>\n<p>${link}</p>\n` })
  const lines = (await read('round-1')).split('\n')
  expect(lines).toContain('حفل 🎉 תמונה')
  expect(lines).toContain(link)
  expect(lines).toContain(`<p>${link}</p>`)
})

test.each([
  ['a recipient with a line break', { to: 'owner@example.com\r\nBcc: evil@example.com' }],
  ['a recipient with a bare line feed', { to: 'owner@example.com\nBcc: evil@example.com' }],
  ['a recipient that ends the headers', { to: 'owner@example.com\r\n\r\nBcc: evil@example.com' }],
  ['two recipients in one', { to: 'owner@example.com, evil@example.com' }],
  ['a subject with a line break', { subject: 'Ready\r\nBcc: evil@example.com' }],
  ['a subject that ends the headers', { subject: 'Ready\n\nBcc: evil@example.com' }],
])('adds neither a header nor a second recipient for %s', async (_name, part) => {
  const { outbox, read } = await newOutbox()
  await outbox.send({ ...LETTER, ...part })
  const headers = headersOf(await read('round-1'))
  const names = headers.map((line) => line.slice(0, line.indexOf(':')))
  expect(names.sort()).toEqual([
    'Auto-Submitted',
    'Content-Type',
    'Date',
    'From',
    'MIME-Version',
    'Message-ID',
    'Subject',
    'To',
  ])
  // One address: one @ and no comma, apart from a quoted local part.
  expect(headers.find((line) => line.startsWith('To:'))!.replaceAll(/"[^"]*"/g, 'quoted')).toMatch(
    /^To: <?[^@,]+@[^@,]+$/,
  )
})

test('removes files that a killed process left half written when they are an hour old', async () => {
  const { folder, outbox } = await newOutbox()
  await outbox.send(LETTER)
  await writeFile(join(folder, '.partial-old'), 'half')
  await writeFile(join(folder, '.partial-new'), 'half')
  const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000)
  for (const name of ['.partial-old', 'round-1.eml'])
    await utimes(join(folder, name), twoHoursAgo, twoHoursAgo)
  await createOutbox({ folder, sender: { from: 'inframe@example.com', domain: 'example.com' } })
  expect((await readdir(folder)).sort()).toEqual(['.partial-new', 'round-1.eml'])
})

test('throws SERVICE_UNAVAILABLE when the letter cannot be written, so that it is sent later', async () => {
  const { folder, outbox } = await newOutbox()
  await mkdir(join(folder, 'round-1.eml'))
  const unavailable = { name: 'AppError', code: 'SERVICE_UNAVAILABLE', cause: { code: 'EISDIR' } }
  await expect(outbox.send(LETTER)).rejects.toMatchObject(unavailable)
  expect(await readdir(folder)).toEqual(['round-1.eml'])
})

test('checks whether a letter could be written', async () => {
  const { folder, outbox } = await newOutbox()
  await outbox.check()
  await rename(folder, `${folder}-away`)
  await expect(outbox.check()).rejects.toMatchObject({ name: 'AppError', code: 'SERVICE_UNAVAILABLE' })
  await rename(`${folder}-away`, folder)
})
