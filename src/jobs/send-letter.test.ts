import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { confirmAddress, endLetters } from '../albums/letter-answers.ts'
import { decryptPassword } from '../albums/password.ts'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import type { Letter, Mailer } from '../mail/mailer.ts'
import { type CompletedAlbum, completeRound } from '../testing/completed-round.ts'
import { createTestDomain, type TestDomain } from '../testing/domain.ts'
import type { JobDeps } from './define-handler.ts'
import { forgetCalls } from './forget-calls.ts'
import { sendLetter } from './send-letter.ts'

let domain: TestDomain
let sent: Letter[]
let lines: string[]

beforeAll(async () => {
  domain = await createTestDomain()
})
afterAll(() => domain?.close())
beforeEach(async () => {
  sent = []
  lines = []
  for (const table of ['unconfirmed_letters', 'refused_addresses', 'albums'] as const)
    await domain.db.deleteFrom(table).execute()
})

const working: Mailer['send'] = async (letter) => void sent.push(letter)

/** Runs the job of a round, with a mailer that does this. */
function run(roundId: string, send = working, attempt = 1): Promise<void> {
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  const mailer: Mailer = { send, check: async () => {}, close: async () => {} }
  const siteUrl = 'https://photos.example.com'
  const deps = { ...domain, mailer, log, siteUrl } as Partial<JobDeps> as JobDeps
  return sendLetter.run(deps, { roundId }, { attempt })
}

const newAlbum = (name = 'Summer Party', email?: string) => completeRound(domain, { name, email })

/** Further rounds of an album, each with one photo. */
async function furtherRounds(album: CompletedAlbum, count: number): Promise<string[]> {
  const rounds: string[] = []
  for (let round = 0; round < count; round++)
    rounds.push((await completeRound(domain, { album: album.album })).roundId)
  return rounds
}

const answers = () => ({ ...domain, limits: RATE_LIMITS })
const tokenIn = (pattern: RegExp, letter = sent[0]!) => pattern.exec(letter.text)![1]!
const confirm = () => confirmAddress(answers(), { token: tokenIn(/#letter=(\S+)/), address: '10.0.0.1' })
const stop = () => endLetters(answers(), { token: tokenIn(/stop-letters#(\S+)/), address: '10.0.0.1' })

/** The seconds until each waiting job of a round may begin; 0 for those that may begin now. */
async function waits(roundId: string): Promise<number[]> {
  const { rows } = await sql<{ seconds: number }>`
    select greatest(0, round(extract(epoch from start_after - now())))::int as seconds from pgboss.job
    where name = 'send-letter' and data ->> 'roundId' = ${roundId} order by 1`.execute(domain.db)
  return rows.map((row) => row.seconds)
}

/** Moves everything that has happened into the past. */
async function pass(hours: number): Promise<void> {
  const interval = sql`make_interval(hours => ${hours})`
  await sql`update upload_rounds set letter_begun_at = letter_begun_at - ${interval},
    letter_due_at = letter_due_at - ${interval}`.execute(domain.db)
  await sql`update unconfirmed_letters set begun_at = begun_at - ${interval}`.execute(domain.db)
  await sql`update refused_addresses set refused_at = refused_at - ${interval}`.execute(domain.db)
}

const sentAt = async (roundId: string) => {
  const { letter_sent_at } = await domain.db
    .selectFrom('upload_rounds')
    .select('letter_sent_at')
    .where('id', '=', roundId)
    .executeTakeFirstOrThrow()
  return letter_sent_at
}

const refusal = new AppError('UNPROCESSABLE_CONTENT', 'The mail server refuses the recipient permanently')
const noMore = () => Promise.reject(new Error('no letter may be sent'))

describe('the letter of a completed round', () => {
  test('goes to the owner with link, password and all counts', async () => {
    const { album, roundId } = await newAlbum()
    await run(roundId)
    expect(sent).toHaveLength(1)
    const [letter] = sent
    expect(letter).toMatchObject({ id: roundId, to: 'owner@example.com' })
    expect(letter!.text).toContain(`https://photos.example.com/album/${album.slug}#letter=`)
    // What is for guests has no token.
    expect(letter!.text).toContain(`\nhttps://photos.example.com/album/${album.slug}\nPassword: `)
    expect(letter!.text).toContain(decryptPassword(domain.keyring, album))
    expect(letter!.text).toMatch(/^Photos: 2$/m)
    expect(letter!.text).toMatch(/^Faces found: 1$/m)
    expect(letter!.text).toMatch(/^Photos without a face: 1$/m)
    expect(letter!.stopUrl).toMatch(/^https:\/\/photos\.example\.com\/stop-letters\?token=[\w-]{86}$/)
  })

  test('is sent once, however often its job runs', async () => {
    const { roundId } = await newAlbum()
    await run(roundId)
    await run(roundId)
    expect(sent).toHaveLength(1)
  })

  test('is tried again when the mailer is unavailable, and counts as sent only then', async () => {
    const { roundId } = await newAlbum()
    const away = new AppError('SERVICE_UNAVAILABLE', 'The mail server does not answer')
    for (let attempt = 0; attempt < 12; attempt++)
      await expect(run(roundId, () => Promise.reject(away))).rejects.toBe(away)
    expect(await sentAt(roundId)).toBeNull()
    await run(roundId)
    expect(sent).toHaveLength(1)
    expect(await sentAt(roundId)).not.toBeNull()
  })

  test('of an album that has been erased is not sent', async () => {
    const { album, roundId } = await newAlbum()
    await domain.db.deleteFrom('albums').where('id', '=', album.id).execute()
    await run(roundId, noMore)
  })
})

describe('a refused address', () => {
  test('gets no letter of any album for 30 days, and the warning names nobody', async () => {
    const { album, roundId } = await newAlbum()
    await run(roundId, () => Promise.reject(refusal))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toMatchObject({
      roundId,
      albumId: album.id,
      err: { message: refusal.message },
    })
    expect(lines[0]).not.toContain('@')

    await run(roundId, noMore)
    const other = await newAlbum('Another', 'Owner@Example.com')
    await run(other.roundId, noMore)
    expect(await sentAt(other.roundId)).not.toBeNull()
    const stranger = await newAlbum('Third', 'other@example.com')
    await run(stranger.roundId)
    expect(sent).toHaveLength(1)

    await pass(30 * 24 + 1)
    const later = await newAlbum('Later')
    await run(later.roundId)
    expect(sent).toHaveLength(2)
  })
})

describe('an address that is refused without a reason', () => {
  const unclear = new AppError('FORBIDDEN', 'The mail server refuses the letter without saying why')
  const refuse = () => Promise.reject(unclear)

  test('is tried again, and gets its letters when the server has changed its mind', async () => {
    const { roundId } = await newAlbum()
    await expect(run(roundId, refuse)).rejects.toThrow(unclear)
    await expect(run(roundId, refuse, 39)).rejects.toThrow(unclear)
    await run(roundId)
    const other = await newAlbum('Another')
    await run(other.roundId)
    expect(sent).toHaveLength(2)
  })

  test('is given up after a day', async () => {
    const { roundId } = await newAlbum()
    await run(roundId, refuse, 40)
    expect(await sentAt(roundId)).not.toBeNull()
    const other = await newAlbum('Another')
    await run(other.roundId, noMore)
  })
})

describe('an address that is not confirmed', () => {
  test('reads nothing that the owner wrote, except a short name', async () => {
    const { roundId } = await newAlbum('Win at http://evil.example! Call 0800 123 4567')
    await run(roundId)
    const [letter] = sent
    expect(letter!.subject).toBe('Your photo album is ready')
    expect(letter!.text).toContain('Its name is "Win at http evil example Call".')
    expect(letter!.text).toMatch(/^Skipped files: 1$/m)
    // The album's own link has its name, in words joined by dashes.
    const words = (letter!.text + letter!.html).replaceAll(/https:[^\s"<]+/g, '')
    expect(words).not.toMatch(/notes\.jpg|evil\.example|0800|Only JPEG/)
  })

  test('gets three letters a day from one album, and later rounds share the next one', async () => {
    const first = await newAlbum()
    const rounds = [first.roundId, ...(await furtherRounds(first, 24))]
    for (const roundId of rounds) await run(roundId)
    expect(sent.map(({ id }) => id)).toEqual(rounds.slice(0, 3))
    // One job waits for all of them.
    const laterJobs = (await Promise.all(rounds.map(waits))).map((all) => all.filter((wait) => wait > 0))
    expect(laterJobs.flat()).toHaveLength(1)
    const [fourth] = laterJobs[3]!
    expect(fourth).toBeGreaterThan(24 * 3600 - 600)
    expect(fourth).toBeLessThanOrEqual(24 * 3600)

    await pass(23)
    await run(rounds[3]!)
    expect(sent).toHaveLength(3)
    await pass(1)
    await run(rounds[3]!)
    expect(sent.map(({ id }) => id)).toEqual(rounds.slice(0, 4))
    expect(sent[3]!.text).toMatch(/^Photos: 26$/m)
    for (const roundId of rounds) {
      expect(await sentAt(roundId)).not.toBeNull()
      await run(roundId, noMore)
    }
  })

  test('is not forgotten when the job that waits has run twice', async () => {
    const first = await newAlbum()
    const rounds = await furtherRounds(first, 3)
    for (const roundId of [first.roundId, ...rounds]) await run(roundId)
    const waiting = rounds[2]!
    await run(waiting)
    expect((await waits(waiting)).filter((wait) => wait > 0)).toHaveLength(1)
    await pass(24)
    await run(waiting)
    expect(sent).toHaveLength(4)
  })

  test('gets ten letters a day from all albums together, also of albums that were erased', async () => {
    const rounds: string[] = []
    for (let number = 0; number < 12; number++) {
      // One mailbox with many names.
      const email = number % 2 ? `Owner+${number}@example.com` : 'owner@example.com'
      const { album, roundId } = await newAlbum(`Party ${number}`, email)
      await run(roundId)
      if (number === 0) await domain.db.deleteFrom('albums').where('id', '=', album.id).execute()
      rounds.push(roundId)
    }
    expect(sent.map(({ id }) => id)).toEqual(rounds.slice(0, 10))
    await pass(24)
    await run(rounds[10]!)
    await run(rounds[11]!)
    expect(sent).toHaveLength(12)
  })

  test('gets no more than ten when all the jobs run at once', async () => {
    const albums = []
    for (let number = 0; number < 14; number++) albums.push(await newAlbum(`Party ${number}`))
    await Promise.all(albums.map(({ roundId }) => run(roundId)))
    expect(sent).toHaveLength(10)
  })

  test('is stored only in keyed hashes, which are deleted after a day', async () => {
    const { roundId } = await newAlbum()
    await run(roundId)
    const count = async () => (await domain.db.selectFrom('unconfirmed_letters').selectAll().execute()).length
    const deps = domain as Partial<JobDeps> as JobDeps
    await forgetCalls.run(deps, {}, { attempt: 1 })
    expect(await count()).toBe(1)
    await pass(24)
    await forgetCalls.run(deps, {}, { attempt: 1 })
    expect(await count()).toBe(0)
  })
})

describe('a confirmed address', () => {
  test('gets a letter for every round of this album, with its name and the skipped files', async () => {
    const first = await newAlbum('My Party at evil.example')
    await run(first.roundId)
    await confirm()
    const rounds = await furtherRounds(first, 6)
    for (const roundId of rounds) await run(roundId)
    expect(sent.slice(1).map(({ id }) => id)).toEqual(rounds)
    const last = sent.at(-1)!
    expect(last.subject).toBe('Your album is ready: My Party at evil.example')
    expect(last.text).toMatch(/notes\.jpg.*Only JPEG and PNG/)
    expect(last.text).toContain(`https://photos.example.com/album/${first.album.slug}\n`)
    expect(last.text).not.toContain('This was not me')
  })

  test('is not confirmed for an album of somebody else', async () => {
    await run((await newAlbum()).roundId)
    await confirm()
    const other = await newAlbum('Buy my coins')
    await run(other.roundId)
    expect(sent[1]!.subject).toBe('Your photo album is ready')
  })

  test('gets the letter that waits for the next day at once, and only then', async () => {
    const first = await newAlbum()
    const rounds = [first.roundId, ...(await furtherRounds(first, 4))]
    for (const roundId of rounds) await run(roundId)
    expect(sent).toHaveLength(3)
    const jobsNow = async () => (await waits(rounds[3]!)).filter((wait) => wait === 0).length
    const before = await jobsNow()
    await confirm()
    expect(await jobsNow()).toBe(before + 1)
    await run(rounds[3]!)
    expect(sent.map(({ id }) => id)).toEqual(rounds.slice(0, 4))
    expect(sent[3]!.subject).toBe('Your album is ready: Summer Party')
    await pass(24)
    for (const roundId of rounds) await run(roundId, noMore)
  })
})

describe('a recipient who has ended the letters', () => {
  test('gets no further letter from this album, also not one that waits or was confirmed', async () => {
    const first = await newAlbum()
    const rounds = [first.roundId, ...(await furtherRounds(first, 3))]
    for (const roundId of rounds) await run(roundId)
    expect(await stop()).toEqual({ hadEnded: false })
    expect(await stop()).toEqual({ hadEnded: true })
    await confirm()
    await pass(24)
    for (const roundId of [...rounds, ...(await furtherRounds(first, 2))]) {
      await run(roundId, noMore)
      expect(await sentAt(roundId)).not.toBeNull()
    }
  })
})
