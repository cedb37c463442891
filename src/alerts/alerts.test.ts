import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { changePassword } from '../albums/change-password.ts'
import { eraseAlbum } from '../albums/erase.ts'
import { lettersOfAlbum } from '../albums/letter-queries.ts'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import type { AddedAlert } from '../contract/alerts.ts'
import { TICKET_REFUSED } from '../contract/wording.ts'
import { AppError } from '../errors.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { askToConfirm } from '../jobs/ask-to-confirm.ts'
import type { JobDeps } from '../jobs/define-handler.ts'
import { lookForNewsEveryMinute } from '../jobs/look-for-news.ts'
import { sendNews } from '../jobs/send-news.ts'
import { createKeyring } from '../keyring.ts'
import type { Letter, Mailer } from '../mail/mailer.ts'
import type { KeptLetters } from '../mail/outbox.ts'
import { queues } from '../queues/queues.ts'
import { sealTicket, ticketEnd } from '../search/tickets.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain-album.ts'
import { indexedFace } from '../testing/indexed-face.ts'
import { insertStoredPhotos } from '../testing/indexed-photos.ts'
import { addAlert } from './add-alert.ts'
import { confirmAlert, endAlert } from './alert-answers.ts'
import { alertToken } from './alert-links.ts'
import { countConfirmedAlerts, dueAlerts } from './alert-queries.ts'
import { beginNews } from './begin-news.ts'

newAlbumForEachTest()

let sent: Letter[]
let send: Mailer['send']
/** The photos in which the engine finds the guest. */
let mine: string[]
let searches: number
/** Letters that were removed from the outbox. */
let removed: string[]

beforeEach(async () => {
  sent = []
  mine = []
  removed = []
  searches = 0
  send = async (letter) => void sent.push(letter)
  for (const table of ['photo_alerts', 'unconfirmed_letters', 'refused_addresses', 'rate_limits'] as const)
    await domain.db.deleteFrom(table).execute()
  for (const queue of [queues.askToConfirm, queues.sendNews]) await domain.jobs.dropWaiting(queue)
})

const templates = { embedded: Buffer.alloc(516, 7) }

function deps(changes: Partial<JobDeps> = {}): JobDeps {
  const faces: Partial<FaceIndex> = {
    engine: 'embedded',
    async search([albumId], person) {
      searches++
      expect(person.template).toEqual(templates.embedded)
      const sure = mine.map((photoId) => ({ photoId, faceId: randomUUID(), similarity: 99 }))
      return { found: new Map([[albumId!, { sure, possible: [] }]]), selfies: [] }
    },
    deleteCollection: async () => {},
    countFaces: async () => 0,
  }
  const outbox: KeptLetters = { remove: async (ids) => void removed.push(...ids), count: async () => 0 }
  const mailer: Mailer = { send: (letter) => send(letter), check: async () => {}, close: async () => {} }
  const own = { faces, outbox, mailer, siteUrl: 'https://photos.example.com', limits: RATE_LIMITS }
  return { ...domain, ...own, ...changes } as Partial<JobDeps> as JobDeps
}
const callDeps = () => ({ ...deps(), limits: RATE_LIMITS })

const WHO = { address: '192.0.2.7', sessionId: undefined }
const ticketOf = (searchedAt?: Date) =>
  sealTicket(domain.keyring, album, {
    person: { templates, confirmed: [], rejected: [] },
    endsAt: ticketEnd(),
    searchedAt,
  })

/** Asks, and runs the job that sends the first letter. */
async function ask(email = 'guest@example.com', ticket = ticketOf()): Promise<AddedAlert> {
  const added = await addAlert(callDeps(), album, { email, ticket }, WHO)
  for (const payload of await domain.waiting(queues.askToConfirm.name))
    await askToConfirm.run(deps(), payload, { attempt: 1 })
  await domain.jobs.dropWaiting(queues.askToConfirm)
  return added
}

const tokenIn = (letter: Letter, use: string) => new RegExp(`#${use}=([\\w-]{43})`).exec(letter.text)![1]!
const answer = (token: string) => ({ token, address: WHO.address })
const confirm = (letter: Letter) => confirmAlert(callDeps(), answer(tokenIn(letter, 'confirm')))

/** A guest who has asked and confirmed. The letters so far are forgotten. */
async function newGuest(email?: string, ticket?: string): Promise<AddedAlert> {
  const added = await ask(email, ticket)
  await confirm(sent.at(-1)!)
  sent = []
  return added
}

/** Adds photos that are indexed at once.
 *  @param whose whether they show the guest */
async function addPhotos(count: number, whose: 'mine' | 'others' = 'mine'): Promise<void> {
  for (const photo of await insertStoredPhotos(domain.db, album.id, count)) {
    await domain.settle(photo, { faces: [indexedFace()], unindexed: [] })
    if (whose === 'mine') mine.push(photo.id)
  }
}

/** What happens in a minute. */
async function passMinute(): Promise<void> {
  await lookForNewsEveryMinute.run(deps(), {}, { attempt: 1 })
  const jobs = await domain.waiting(queues.sendNews.name)
  await domain.jobs.dropWaiting(queues.sendNews)
  for (const payload of jobs) await sendNews.run(deps(), payload, { attempt: 1 })
}
const pass = (hours: number) =>
  sql`
    update photo_alerts set
      created_at = created_at - make_interval(hours => ${hours}::integer),
      ends_at = ends_at - make_interval(hours => ${hours}::integer),
      told_at = told_at - make_interval(hours => ${hours}::integer)`.execute(domain.db)

const alerts = () => domain.db.selectFrom('photo_alerts').selectAll().execute()
const lettersToRemove = async () => (await alerts()).flatMap(({ letter_ids }) => letter_ids)

describe('the first letter', () => {
  test('has a fixed subject and nothing that somebody wrote but a harmless name, and no other follows', async () => {
    await domain.db
      .updateTable('albums')
      .set({ display_name: 'Win at https://evil.example !' })
      .where('id', '=', album.id)
      .execute()
    await ask()
    await addPhotos(3)
    await passMinute()
    expect(sent).toHaveLength(1)
    const [{ to, subject, text, html, stopUrl }] = sent as [Letter]
    expect([to, subject]).toEqual(['guest@example.com', 'Please confirm your email address'])
    expect(text).toMatch(
      /^Yes, send me these letters: https:\/\/photos\.example\.com\/photo-letters#confirm=/m,
    )
    expect(text).toMatch(/^This was not me: https:\/\/photos\.example\.com\/photo-letters#refuse=/m)
    expect(stopUrl).toMatch(/\/photo-letters\?token=[\w-]{43}$/)
    expect(text + html).not.toContain('evil.example')
    expect(searches).toBe(0)
    expect(await countConfirmedAlerts(domain.db, album.id)).toBe(0)
  })

  test('is deleted with everything else after a day without a confirmation', async () => {
    await ask()
    const letters = await lettersToRemove()
    await passMinute()
    expect(await alerts()).toHaveLength(1)
    await pass(25)
    await expect(confirm(sent[0]!)).rejects.toThrow('These letters have ended')
    await passMinute()
    expect(await alerts()).toEqual([])
    expect(removed).toEqual(letters)
  })

  test('refuses further ones from this album, and from no other, when it was not asked for', async () => {
    await ask()
    expect(await endAlert(callDeps(), answer(tokenIn(sent[0]!, 'refuse')))).toEqual({ hadEnded: false })
    expect(await alerts()).toEqual([])
    await expect(ask('Guest@example.com')).rejects.toThrow('This address takes no such letters')
    await ask('other@example.com')
    album.id = (await domain.newAlbum('Another')).id
    await ask()
    expect(sent).toHaveLength(3)
  })

  test('comes three times a day from one album, and ten times from all', async () => {
    for (let times = 0; times < 3; times++) await ask()
    await expect(ask()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    await expect(ask('guest+1@example.com')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    for (let more = 3; more < 10; more++) {
      album.id = (await domain.newAlbum()).id
      await ask()
    }
    album.id = (await domain.newAlbum()).id
    await expect(ask()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfter: expect.any(Number) })
    expect(sent).toHaveLength(10)
  })

  test('that the mail server refuses deletes what was kept', async () => {
    send = () => Promise.reject(new AppError('UNPROCESSABLE_CONTENT', 'The recipient is refused permanently'))
    await ask()
    expect(await alerts()).toEqual([])
    await expect(ask()).rejects.toThrow('This address takes no such letters')
  })
})

describe('a guest who has confirmed', () => {
  test('gets one letter with the number of new photos, when the upload is complete', async () => {
    await addPhotos(2)
    await newGuest()
    await addPhotos(3)
    await addPhotos(1, 'others')
    const [waiting] = await insertStoredPhotos(domain.db, album.id, 1)
    await passMinute()
    expect(sent).toEqual([])
    await domain.settle(waiting!, { faces: [], unindexed: [] })
    const open = await domain.db
      .insertInto('upload_rounds')
      .values({ album_id: album.id, total: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    await passMinute()
    expect(sent).toEqual([])
    await domain.db.deleteFrom('upload_rounds').where('id', '=', open.id).execute()
    await passMinute()
    await passMinute()
    expect(sent).toHaveLength(1)
    const [{ to, subject, text, stopUrl }] = sent as [Letter]
    expect([to, subject]).toEqual(['guest@example.com', '3 new photos of you in Party'])
    expect(text).toContain(`See them: https://photos.example.com/album/${album.slug}\n`)
    expect(text).toMatch(/\nhttps:\/\/photos\.example\.com\/photo-letters#end=[\w-]{43}\n/)
    expect(stopUrl).toMatch(/\/photo-letters\?token=[\w-]{43}$/)
  })

  test('gets the next one a day later, and none without new photos', async () => {
    await newGuest()
    await addPhotos(1)
    await passMinute()
    await addPhotos(2)
    await passMinute()
    expect(sent.map(({ subject }) => subject)).toEqual(['1 new photo of you in Party'])
    await pass(25)
    await addPhotos(1, 'others')
    await passMinute()
    expect(sent[1]!.subject).toBe('2 new photos of you in Party')
    await pass(25)
    searches = 0
    await passMinute()
    expect(searches).toBe(0)
    await addPhotos(5, 'others')
    await passMinute()
    await passMinute()
    expect(searches).toBe(1)
    expect(sent).toHaveLength(2)
  })

  test('gets a letter about the photos that were indexed after the search that gave the ticket', async () => {
    const searchedAt = new Date()
    await addPhotos(2)
    await newGuest(undefined, ticketOf(searchedAt))
    await passMinute()
    expect(sent[0]!.subject).toBe('2 new photos of you in Party')
  })

  test('gets no letter about photos that are hidden, or were indexed again', async () => {
    await addPhotos(2)
    await newGuest()
    const [first] = mine
    const photo = await domain.db.selectFrom('photos').selectAll().where('id', '=', first!).executeTakeFirst()
    await domain.settle(photo!, { faces: [indexedFace()], unindexed: [] })
    await addPhotos(2)
    await domain.db.updateTable('photos').set({ state: 'hidden' }).where('id', '=', mine[2]!).execute()
    await passMinute()
    expect(sent[0]!.subject).toBe('1 new photo of you in Party')
  })

  test('still gets letters after the password has changed', async () => {
    await newGuest()
    await changePassword(domain, album, COMMAND_LINE)
    await addPhotos(1)
    await passMinute()
    expect(sent).toHaveLength(1)
  })

  test('gets no more after 30 days', async () => {
    await newGuest()
    await pass(30 * 24 + 1)
    await addPhotos(1)
    await passMinute()
    expect(sent).toEqual([])
    expect(await alerts()).toEqual([])
  })

  test('asks again, and the former wish goes on until the new one is confirmed', async () => {
    const former = await newGuest()
    const again = await ask('GUEST@example.com')
    expect(await alerts()).toHaveLength(2)
    const [letter] = sent
    await ask()
    expect(await alerts(), 'the last of those that wait').toHaveLength(2)
    await expect(confirm(letter!)).rejects.toThrow('These letters have ended')
    await confirm(sent.at(-1)!)
    expect(await alerts()).toHaveLength(1)
    expect(await lettersToRemove()).toHaveLength(3)
    for (const { endToken } of [former, again])
      expect(await endAlert(callDeps(), answer(endToken))).toEqual({ hadEnded: true })
    expect(await countConfirmedAlerts(domain.db, album.id)).toBe(1)
  })

  test('gets one letter a day, also after asking again', async () => {
    await newGuest()
    await addPhotos(1)
    await passMinute()
    expect(sent).toHaveLength(1)
    await newGuest()
    await addPhotos(2)
    await passMinute()
    expect(sent).toEqual([])
    await pass(25)
    await passMinute()
    expect(sent.map(({ subject }) => subject)).toEqual(['2 new photos of you in Party'])
  })

  test('ends the letters with one token, which deletes everything with the letters that are kept', async () => {
    const { endToken } = await newGuest()
    await addPhotos(1)
    await passMinute()
    const letters = await lettersToRemove()
    expect(letters).toHaveLength(2)
    expect(tokenIn(sent[0]!, 'end')).toBe(endToken)
    expect(await endAlert(callDeps(), answer(endToken))).toEqual({ hadEnded: false })
    expect(await endAlert(callDeps(), answer(endToken))).toEqual({ hadEnded: true })
    expect(await alerts()).toEqual([])
    expect(removed).toEqual(letters)
    await newGuest()
  })

  test('ends when the mail server refuses the address', async () => {
    await newGuest()
    await addPhotos(1)
    send = () => Promise.reject(new AppError('UNPROCESSABLE_CONTENT', 'The recipient is refused permanently'))
    await passMinute()
    expect(await alerts()).toEqual([])
  })

  test('is forgotten when nothing can read what was kept, or when it finds nobody any more', async () => {
    await newGuest()
    await addPhotos(1)
    const [alert] = await alerts()
    const keyring = createKeyring(['another secret, as long as a real one'])
    expect(await beginNews(deps({ keyring }), alert!.id)).toBeUndefined()
    expect(await alerts()).toEqual([])
    await newGuest()
    await addPhotos(1)
    const { faces } = deps()
    const [other] = await alerts()
    await beginNews(deps({ faces: { ...faces, engine: 'rekognition' } }), other!.id)
    expect(await alerts()).toEqual([])
  })
})

describe('a letter about new photos', () => {
  test('that may not have arrived is sent again, the same, whatever was added meanwhile', async () => {
    await newGuest()
    await addPhotos(2)
    const ids: string[] = []
    send = async ({ id }) => {
      ids.push(id)
      throw new AppError('SERVICE_UNAVAILABLE', 'The mail server does not answer')
    }
    await expect(passMinute()).rejects.toThrow('does not answer')
    await addPhotos(4)
    send = async (letter) => void sent.push(letter)
    await passMinute()
    expect(sent).toMatchObject([{ id: ids[0], subject: '2 new photos of you in Party' }])
    await passMinute()
    await pass(25)
    await passMinute()
    expect(sent[1]).toMatchObject({ subject: '4 new photos of you in Party' })
    expect(sent[1]!.id).not.toBe(ids[0])
  })

  test('is begun by one process only', async () => {
    await newGuest()
    await addPhotos(2)
    const [id] = await dueAlerts(domain.db)
    const begun = await Promise.all([1, 2, 3].map(() => beginNews(deps(), id!)))
    const letters = new Set(begun.flatMap((letter) => letter?.letterId ?? []))
    expect(letters.size).toBe(1)
    expect(await lettersToRemove()).toHaveLength(2)
  })

  test('that was sent while its guest ended the letters is removed from the outbox', async () => {
    const { endToken } = await newGuest()
    await addPhotos(1)
    send = async (letter) => {
      sent.push(letter)
      await endAlert(callDeps(), answer(endToken))
      removed = []
    }
    await passMinute()
    expect(removed).toEqual([sent[0]!.id])
  })
})

test('neither the address nor the template is stored in the clear, and a ticket that is not valid is refused', async () => {
  await ask()
  const { sealed, address_hash, ...row } = (await alerts())[0]!
  const stored = JSON.stringify(row) + sealed.toString('latin1') + address_hash.toString('latin1')
  expect(stored).not.toContain('guest@example.com')
  expect(stored).not.toContain(templates.embedded.toString('base64'))
  await expect(ask('a@example.com', 'forged')).rejects.toThrow(TICKET_REFUSED)
})

test('a token does only what it was made for', async () => {
  await ask()
  const { id } = (await alerts())[0]!
  const other = createKeyring(['another secret, as long as a real one'])
  for (const token of [
    alertToken(domain.keyring, 'confirm', id),
    alertToken(other, 'end', id),
    'x'.repeat(43),
    '',
  ])
    await expect(endAlert(callDeps(), answer(token))).rejects.toThrow('This link is not valid')
  await expect(confirmAlert(callDeps(), answer(alertToken(domain.keyring, 'end', id)))).rejects.toThrow(
    'This link is not valid',
  )
})

test('an erased album leaves no wish and no letter', async () => {
  const { endToken } = await newGuest()
  const letters = await lettersToRemove()
  expect(await domain.db.transaction().execute((trx) => lettersOfAlbum(trx, album.id))).toEqual(letters)
  expect(await eraseAlbum(deps(), album.id, COMMAND_LINE)).toMatchObject({ rowsRemaining: 0 })
  expect(await alerts()).toEqual([])
  expect(removed).toEqual(expect.arrayContaining(letters))
  expect(await endAlert(callDeps(), answer(endToken))).toEqual({ hadEnded: true })
})
