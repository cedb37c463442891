import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { confirmAddress, endOwnerLetters } from '../albums/owner-address.ts'
import { decryptPassword } from '../albums/password.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { forgetCalls } from '../jobs/retention.ts'
import { completeRound } from '../testing/completed-round.ts'
import { domain, newAlbumForEachTest } from '../testing/domain.ts'
import { emptyMailbox, mailbox, mailDeps, openLetters, passHours, sendLetters } from '../testing/mailbox.ts'
import { detachLetters, findLetter } from './queries.ts'
import { requestConfirmation } from './request.ts'
import { sendLetter } from './send.ts'

newAlbumForEachTest()
beforeEach(async () => {
  await emptyMailbox(domain.db)
  await domain.db.deleteFrom('albums').execute()
})

/** An album whose upload is complete. */
const newAlbum = async (name = 'Summer Party', email?: string) =>
  (await completeRound(domain, { name, email })).album

/** Sends the letters of a new album. */
async function sendOf(name?: string, email?: string): Promise<Album> {
  const album = await newAlbum(name, email)
  await sendLetters(domain)
  return album
}

/** Completes further uploads of an album, each with one photo, and sends what is due after each. */
async function uploadAgain(album: Album, count: number): Promise<void> {
  for (let round = 0; round < count; round++) {
    await completeRound(domain, { album })
    await sendLetters(domain)
  }
}

const tokenIn = (pattern: RegExp, letter = mailbox.sent[0]!) => pattern.exec(letter.text)![1]!
const confirm = () => confirmAddress(domain, { token: tokenIn(/#letter=(\S+)/), address: '10.0.0.1' })
const stop = (letter = mailbox.sent[0]!) =>
  endOwnerLetters(domain, { token: tokenIn(/stop-letters#(\S+)/, letter), address: '10.0.0.1' })

const rejects = (code: 'UNPROCESSABLE_CONTENT' | 'FORBIDDEN' | 'SERVICE_UNAVAILABLE') => {
  mailbox.send = () => Promise.reject(new AppError(code, 'The mail server says no'))
}
function accepts(): void {
  mailbox.send = async (letter) => void mailbox.sent.push(letter)
}

describe('the letter of a complete upload', () => {
  test('goes to the owner with link, password and all counts', async () => {
    const album = await sendOf()
    const [letter, ...others] = mailbox.sent
    expect(others).toEqual([])
    expect(letter).toMatchObject({ to: 'owner@example.com' })
    expect(letter!.text).toContain(`https://photos.example.com/album/${album.slug}#letter=`)
    // What is for guests has no token.
    expect(letter!.text).toContain(`\nhttps://photos.example.com/album/${album.slug}\nPassword: `)
    expect(letter!.text).toContain(decryptPassword(domain.keyring, album))
    expect(letter!.text).toMatch(/^Photos: 2\nFaces found: 1\nPhotos without a face: 1$/m)
    expect(letter!.stopUrl).toMatch(/^https:\/\/photos\.example\.com\/stop-letters\?token=[\w-]+$/)
  })

  test.each([
    ['before it is begun', 'due'],
    ['after it was begun', 'claimed'],
    ['after the server has taken it', 'taken'],
    ['after it was recorded', 'sent'],
  ])('is one letter when its sender is killed %s', async (_when, at) => {
    await newAlbum()
    const [id] = await openLetters(domain.db)
    const killed = new Error('killed')
    const dead = () => Promise.reject(killed)
    const deps = mailDeps(domain)
    if (at === 'due')
      await expect(
        sendLetter({ ...deps, db: { ...deps.db, transaction: dead } as never }, id!),
      ).rejects.toThrow()
    if (at === 'claimed') mailbox.send = dead
    if (at === 'taken')
      mailbox.send = async (letter) => {
        mailbox.sent.push(letter)
        throw killed
      }
    if (at !== 'due') await sendLetter(deps, id!).catch((error) => expect(error).toBe(killed))
    accepts()
    for (let again = 0; again < 2; again++) await sendLetter(deps, id!)
    // The server has got it once, or the same again.
    expect(new Set(mailbox.sent.map((letter) => letter.id))).toEqual(new Set([id]))
    expect(mailbox.sent).toHaveLength(at === 'taken' ? 2 : 1)
    expect(await findLetter(domain.db, id!)).toMatchObject({ sent_at: expect.any(Date) })
  })

  test('is tried until the mail server is back, and no other waits for it', async () => {
    await newAlbum()
    const [id] = await openLetters(domain.db)
    rejects('SERVICE_UNAVAILABLE')
    for (let attempt = 0; attempt < 60; attempt++)
      await expect(sendLetter(mailDeps(domain), id!)).rejects.toThrow('says no')
    accepts()
    await newAlbum('Another', 'other@example.com')
    await sendLetters(domain)
    expect(mailbox.sent.map(({ to }) => to)).toEqual(['owner@example.com', 'other@example.com'])
  })

  test('is not sent when the album was erased, or all its photos were deleted', async () => {
    const album = await newAlbum()
    const [id] = await openLetters(domain.db)
    await domain.db.updateTable('albums').set({ photos_stored: 0, photos_settled: 0 }).execute()
    await sendLetters(domain)
    expect(await findLetter(domain.db, id!)).toMatchObject({ sent_at: null, ended_at: expect.any(Date) })
    await uploadAgain(album, 1)
    await completeRound(domain, { album })
    const before = mailbox.sent.length
    await domain.db.transaction().execute((trx) => detachLetters(trx, { albumId: album.id }))
    await sendLetters(domain)
    expect(mailbox.sent).toHaveLength(before)
  })
})

describe('a refused address', () => {
  test('gets no letter of any album for 30 days, and the warning names nobody', async () => {
    rejects('UNPROCESSABLE_CONTENT')
    const album = await sendOf()
    expect(mailbox.lines).toHaveLength(1)
    expect(JSON.parse(mailbox.lines[0]!)).toMatchObject({ albumId: album.id, kind: 'ready' })
    expect(mailbox.lines[0]).not.toContain('@')
    accepts()
    await sendOf('Another', 'Owner@Example.com')
    expect(mailbox.sent).toEqual([])
    await sendOf('Third', 'other@example.com')
    await passHours(domain.db, 30 * 24 + 1)
    await sendOf('Later')
    expect(mailbox.sent.map(({ to }) => to)).toEqual(['other@example.com', 'owner@example.com'])
  })

  test('that is refused without a reason is tried for a day, and then given up', async () => {
    await newAlbum()
    const [id] = await openLetters(domain.db)
    rejects('FORBIDDEN')
    for (let attempt = 1; attempt < 40; attempt++)
      await expect(sendLetter(mailDeps(domain), id!)).rejects.toThrow('says no')
    await sendLetter(mailDeps(domain), id!)
    accepts()
    await sendOf('Another')
    expect(mailbox.sent).toEqual([])
  })
})

describe('an address that is not confirmed', () => {
  test('gets three letters a day from one album, and later uploads share the next one', async () => {
    const album = await sendOf()
    await uploadAgain(album, 12)
    expect(mailbox.sent).toHaveLength(3)
    // One letter waits for all of them, and so does one job.
    const [waiting, ...others] = await openLetters(domain.db)
    expect(others).toEqual([])
    const { rows } = await sql<{ hours: number }>`
      select extract(epoch from start_after - now()) / 3600 as hours from pgboss.job
      where name = 'send-letter' and data ->> 'letterId' = ${waiting} and start_after > now()`.execute(
      domain.db,
    )
    expect(rows).toEqual([{ hours: expect.any(String) }])
    expect(Number(rows[0]!.hours)).toBeCloseTo(24, 0)

    await passHours(domain.db, 23)
    await sendLetters(domain)
    expect(mailbox.sent).toHaveLength(3)
    await passHours(domain.db, 1)
    await sendLetters(domain)
    expect(mailbox.sent).toHaveLength(4)
    expect(mailbox.sent[3]!.text).toMatch(/^Photos: 14$/m)
    expect(await openLetters(domain.db)).toEqual([])
  })

  test('gets ten letters a day from all albums together, also of albums that were erased', async () => {
    for (let number = 0; number < 12; number++) {
      // One mailbox with many names.
      const email = number % 2 ? `Owner+${number}@example.com` : 'owner@example.com'
      const { id: albumId } = await sendOf(`Party ${number}`, email)
      if (number === 0) await domain.db.transaction().execute((trx) => detachLetters(trx, { albumId }))
    }
    expect(mailbox.sent).toHaveLength(10)
    await passHours(domain.db, 24)
    await sendLetters(domain)
    expect(mailbox.sent).toHaveLength(12)
  })

  test('gets no more than ten when all the jobs run at once', async () => {
    for (let number = 0; number < 14; number++) await newAlbum(`Party ${number}`)
    const letters = await openLetters(domain.db)
    await Promise.all(letters.map((id) => sendLetter(mailDeps(domain), id)))
    expect(mailbox.sent).toHaveLength(10)
  })

  test('waits for no letter of another kind that strangers have asked for in its name', async () => {
    const album = await domain.newAlbum()
    const ask = (kind: 'confirm-address' | 'confirm-news', subjectId: string, asker: string) =>
      domain.db
        .transaction()
        .execute((trx) =>
          requestConfirmation(trx, domain, { kind, album, email: album.email, subjectId, asker }),
        )
    for (let letter = 0; letter < 6; letter++)
      expect(await ask('confirm-news', crypto.randomUUID(), `192.0.2.${letter % 2}`)).toHaveProperty('letter')
    for (const kind of ['confirm-news', 'confirm-address'] as const)
      expect(await ask(kind, crypto.randomUUID(), '192.0.2.9')).toEqual({ seconds: expect.any(Number) })
    await domain.db
      .deleteFrom('letters')
      .where('sent_at', 'is', null)
      .where('kind', '=', 'opt-outs')
      .execute()
    await newAlbum()
    const ready = (await openLetters(domain.db)).at(-1)!
    await sendLetter(mailDeps(domain), ready)
    expect(mailbox.sent.map(({ subject }) => subject)).toEqual(['Your photo album is ready'])
  })

  test('is stored only in keyed hashes, which are deleted after a day', async () => {
    await sendOf()
    const hashes = async () => {
      await forgetCalls.run(mailDeps(domain), {}, { attempt: 1 })
      const rows = await domain.db.selectFrom('letters').select(['mailbox_hash', 'recipient']).execute()
      expect(rows).toMatchObject([{ recipient: null }])
      return rows.filter(({ mailbox_hash }) => mailbox_hash !== null).length
    }
    expect(await hashes()).toBe(1)
    await passHours(domain.db, 24)
    expect(await hashes()).toBe(0)
  })
})

describe('a confirmed address', () => {
  test('gets a letter for every upload of this album, with its name and the skipped files', async () => {
    const album = await sendOf('My Party at evil.example')
    await confirm()
    await uploadAgain(album, 6)
    expect(mailbox.sent).toHaveLength(7)
    const last = mailbox.sent.at(-1)!
    expect(last.subject).toBe('Your album is ready: My Party at evil.example')
    expect(last.text).toMatch(/1 skipped file:\n- "notes\.jpg": Only JPEG and PNG/)
    expect(last.text).toContain(`https://photos.example.com/album/${album.slug}\n`)
  })

  test('is not confirmed for an album of somebody else', async () => {
    await sendOf()
    await confirm()
    await sendOf('Buy my coins')
    expect(mailbox.sent[1]!.subject).toBe('Your photo album is ready')
  })

  test('gets the letter that waits for the next day at once', async () => {
    const album = await sendOf()
    await uploadAgain(album, 4)
    expect(mailbox.sent).toHaveLength(3)
    await confirm()
    await sendLetters(domain)
    expect(mailbox.sent[3]!.subject).toBe('Your album is ready: Summer Party')
    await passHours(domain.db, 24)
    await sendLetters(domain)
    expect(mailbox.sent).toHaveLength(4)
  })
})

test('a recipient who has ended the letters gets none from this album, however late, also if one waits or the address was confirmed', async () => {
  const album = await sendOf()
  await uploadAgain(album, 3)
  expect(await stop()).toEqual({ hadEnded: false })
  expect(await stop()).toEqual({ hadEnded: true })
  await confirm()
  await passHours(domain.db, 24 * 40)
  await forgetCalls.run(mailDeps(domain), {}, { attempt: 1 })
  await uploadAgain(album, 2)
  expect(mailbox.sent).toHaveLength(3)
  expect(await openLetters(domain.db)).toEqual([])
})
