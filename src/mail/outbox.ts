import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { removeIfOlder } from '../abandoned-files.ts'
import { AppError } from '../errors.ts'
import { syncFolder } from '../storage/disk-files.ts'
import type { Letter, Mailer } from './mailer.ts'
import { headersOf, type Sender } from './message.ts'

const PARTIAL = '.partial'
const ABANDONED_AFTER_MS = 60 * 60 * 1000

export interface OutboxOptions {
  folder: string
  sender: Sender
  /** Asks for room on the disk. A letter waits while this throws. */
  requireRoom?: (bytes: number) => Promise<void>
}

/** A mailer that writes each letter to a folder, as `<id>.eml`, which any mail program or text editor opens.
 *  Sending a letter again replaces its file. */
export async function createOutbox({
  folder,
  sender,
  requireRoom = async () => {},
}: OutboxOptions): Promise<Mailer> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeAbandoned(folder)
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })

  return {
    async send(letter) {
      const { message } = await composer.sendMail({
        ...headersOf(letter, sender),
        alternatives: [plainPart('text/plain', letter.text), plainPart('text/html', letter.html)],
      })
      await requireRoom((message as Buffer).length)
      await writeLetter(folder, letter, message as Buffer)
    },
    async check() {
      await access(folder, constants.W_OK).catch((cause) => {
        throw outboxNotWritable(cause)
      })
    },
    async close() {
      composer.close()
    },
  }
}

/** The letters of an album in the outbox, which may be of a time before another way to send them was set up. */
export interface KeptLetters {
  /** Removes letters, if they are there. @throws AppError SERVICE_UNAVAILABLE */
  remove(ids: string[]): Promise<void>
  /** How many of these letters are there. @throws AppError SERVICE_UNAVAILABLE */
  count(ids: string[]): Promise<number>
}

/** @param folder that of createOutbox; it need not exist */
export function keptLetters(folder: string): KeptLetters {
  return {
    async remove(ids) {
      for (const name of await lettersIn(folder, ids))
        await rm(join(folder, name), { force: true }).catch((cause) => {
          throw outboxNotWritable(cause)
        })
    },
    count: async (ids) => (await lettersIn(folder, ids)).length,
  }
}

async function lettersIn(folder: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw outboxNotWritable(error)
  })
  const wanted = new Set(ids.map(fileOf))
  return names.filter((name) => wanted.has(name))
}

const fileOf = (letterId: string) => `${letterId}.eml`

/** A part in plain UTF-8. By default nodemailer uses quoted-printable for text with long lines or other characters
 *  than ASCII. That would split the album's link for people who read the file in a text editor. */
function plainPart(contentType: string, content: string): { contentType: string; raw: string } {
  return {
    contentType,
    raw: `Content-Type: ${contentType}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${content}`,
  }
}

/** Writes the file whole or not at all. It is on the disk when this returns, because the letter is then marked as
 *  sent and never sent again. */
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
    await rename(partial, join(folder, fileOf(letter.id)))
    await syncFolder(folder)
  } catch (error) {
    await rm(partial, { force: true })
    throw outboxNotWritable(error)
  }
}

/** Removes files that a killed process left half written. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(PARTIAL)) await removeIfOlder(join(folder, name), ABANDONED_AFTER_MS)
}

const outboxNotWritable = (cause: unknown) =>
  new AppError('SERVICE_UNAVAILABLE', 'The outbox folder is not writable', { cause })
