import { sql } from 'kysely'
import type { AppContext } from '../context.ts'
import type { Db } from '../database/client.ts'
import { sendLetter } from '../letters/send.ts'
import { createLog } from '../log.ts'
import type { Letter, Mailer } from '../mail/mailer.ts'
import type { KeptLetters } from '../mail/outbox.ts'

const working: Mailer['send'] = async (letter) => {
  mailbox.sent.push(letter)
  mailbox.kept.add(letter.id)
}

/** What the mail server of a test has got. */
export const mailbox = {
  sent: [] as Letter[],
  /** The ids of the letters in the outbox, and of those that were removed from it. */
  kept: new Set<string>(),
  removed: [] as string[],
  /** Warnings in the log. */
  lines: [] as string[],
  /** What the server does with a letter. */
  send: working,
}

/** Empties the mailbox, and deletes all letters. */
export async function emptyMailbox(db: Db): Promise<void> {
  Object.assign(mailbox, { sent: [], kept: new Set(), removed: [], lines: [], send: working })
  for (const table of ['letters', 'refused_addresses', 'rate_limits'] as const)
    await db.deleteFrom(table).execute()
}

const outbox: KeptLetters = {
  async remove(ids) {
    mailbox.removed.push(...ids.filter((id) => mailbox.kept.delete(id)))
  },
  count: async (ids) => ids.filter((id) => mailbox.kept.has(id)).length,
}

/** What a job that sends letters uses. */
export function mailDeps(domain: AppContext): AppContext {
  const mailer: Mailer = {
    send: (letter) => mailbox.send(letter),
    check: async () => {},
    close: async () => {},
  }
  const log = createLog('warn', { write: (line) => void mailbox.lines.push(line) })
  return { ...domain, mailer, outbox, log, siteUrl: 'https://photos.example.com' }
}

/** The ids of the letters that are neither sent nor given up, the oldest first. */
export async function openLetters(db: Db): Promise<string[]> {
  const open = db
    .selectFrom('letters')
    .select('id')
    .where('sent_at', 'is', null)
    .where('ended_at', 'is', null)
  return (await open.orderBy('created_at').execute()).map(({ id }) => id)
}

/** Runs the jobs of all letters that were not sent yet. */
export async function sendLetters(domain: AppContext): Promise<void> {
  for (const id of await openLetters(domain.db)) await sendLetter(mailDeps(domain), id)
}

/** Runs the jobs of the letters that were ended. */
export async function removeEnded(domain: AppContext): Promise<void> {
  const ended = domain.db.selectFrom('letters').select('id').where('ended_at', 'is not', null)
  for (const { id } of await ended.execute()) await sendLetter(mailDeps(domain), id)
}

/** Moves all that has happened to letters into the past. */
export async function passHours(db: Db, hours: number): Promise<void> {
  const time = sql`make_interval(hours => ${hours}::integer)`
  await sql`update letters set due_at = due_at - ${time}, created_at = created_at - ${time},
    counted_at = counted_at - ${time}, claimed_at = claimed_at - ${time}, sent_at = sent_at - ${time}`.execute(
    db,
  )
  await sql`update upload_rounds set completed_at = completed_at - ${time}`.execute(db)
  await sql`update refused_addresses set refused_at = refused_at - ${time}`.execute(db)
}

/** Lets a letter tell the owners of all opt-outs. */
export async function tellOwners(db: Db): Promise<void> {
  await sql`
    with told as (
      update letters set claimed_at = now(), sent_at = now() where kind = 'opt-outs' returning id, album_id
    )
    update opt_outs set letter_id = told.id from told where told.album_id = opt_outs.album_id`.execute(db)
}

/** A letter to the owner was sent. */
export async function recordSentLetter(db: Db, albumId: string): Promise<void> {
  const now = new Date()
  await db
    .insertInto('letters')
    .values({ album_id: albumId, kind: 'ready', claimed_at: now, sent_at: now })
    .execute()
}
