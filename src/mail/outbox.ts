import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { AppError } from '../errors.ts'
import type { Letter, Mailer } from './mailer.ts'
import { headersOf } from './message.ts'

const PARTIAL = '.partial'
const ABANDONED_AFTER_MS = 60 * 60 * 1000

/** A mailer that writes each letter to a folder, as `<id>.eml`: any mail program opens it, and so does any
 *  text editor. Sending a letter again replaces its file.
 *  @param from the sender, as `Name <address>` */
export async function createOutbox({ folder, from }: { folder: string; from: string }): Promise<Mailer> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeAbandoned(folder)
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })

  return {
    async send(letter) {
      const { message } = await composer.sendMail({
        ...headersOf(letter, from),
        alternatives: [asIs('text/plain', letter.text), asIs('text/html', letter.html)],
      })
      await writeLetter(folder, letter, message as Buffer)
    },
    async check() {
      await access(folder, constants.W_OK).catch((cause) => {
        throw new AppError('SERVICE_UNAVAILABLE', 'The outbox folder cannot be written', { cause })
      })
    },
    async close() {
      composer.close()
    },
  }
}

/** A part in plain UTF-8. Left to itself nodemailer writes a text that is not all ASCII, or has a long line, in
 *  quoted-printable, which breaks the album's link in two for whoever reads the file as it is. */
function asIs(contentType: string, content: string): { contentType: string; raw: string } {
  return {
    contentType,
    raw: `Content-Type: ${contentType}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${content}`,
  }
}

/** Whole or not at all, and on the disk when it returns: a letter is sent once, then marked as sent. */
async function writeLetter(folder: string, letter: Letter, message: Buffer): Promise<void> {
  const partial = join(folder, `${PARTIAL}-${randomUUID()}`)
  try {
    const file = await open(partial, 'wx', 0o600)
    try {
      await file.writeFile(message)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(partial, join(folder, `${letter.id}.eml`))
    const names = await open(folder, constants.O_RDONLY)
    try {
      await names.sync()
    } finally {
      await names.close()
    }
  } catch (error) {
    await rm(partial, { force: true })
    throw new AppError('SERVICE_UNAVAILABLE', 'The outbox folder cannot be written', { cause: error })
  }
}

/** What a killed process left half written. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(PARTIAL)) continue
    const { mtimeMs } = await stat(join(folder, name))
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(join(folder, name), { force: true })
  }
}
