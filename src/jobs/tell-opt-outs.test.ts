import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { eraseAlbum } from '../albums/erase.ts'
import { lettersOfAlbum } from '../albums/letter-queries.ts'
import { findAlbum } from '../albums/queries.ts'
import { renewOwnerKey } from '../albums/renew-owner-key.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import type { OptOutState } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import type { Letter, Mailer } from '../mail/mailer.ts'
import type { KeptLetters } from '../mail/outbox.ts'
import { lookForUntold } from '../opt-outs/begin-letter.ts'
import { findAlbumOfOptOuts } from '../opt-outs/owner-links.ts'
import { queues } from '../queues/queues.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain-album.ts'
import type { Handler, JobDeps } from './define-handler.ts'
import { removeLetters, tellOptOuts } from './tell-opt-outs.ts'

newAlbumForEachTest()

let sent: Letter[]
/** The ids of the letters in the outbox. */
const kept = new Set<string>()
beforeEach(async () => {
  sent = []
  kept.clear()
  for (const table of ['unconfirmed_letters', 'refused_addresses'] as const)
    await domain.db.deleteFrom(table).execute()
  for (const queue of [queues.tellOptOuts, queues.removeLetters]) await domain.jobs.dropWaiting(queue)
})

const working: Mailer['send'] = async (letter) => {
  sent.push(letter)
  kept.add(letter.id)
}

function run(send = working, handler = tellOptOuts, payload: object = { albumId: album.id }): Promise<void> {
  const mailer: Mailer = { send, check: async () => {}, close: async () => {} }
  const outbox: KeptLetters = {
    remove: async (ids) => {
      for (const id of ids) kept.delete(id)
    },
    count: async () => kept.size,
  }
  const deps = {
    ...domain,
    mailer,
    outbox,
    siteUrl: 'https://photos.example.com',
  } as Partial<JobDeps> as JobDeps
  return handler.run(deps, payload, { attempt: 1 })
}

/** Runs the jobs that wait. */
async function runWaiting(handler: Handler): Promise<void> {
  const payloads = await domain.waiting(handler.queue.name)
  await domain.jobs.dropWaiting(handler.queue)
  for (const payload of payloads) await run(working, handler, payload)
}

const renew = async (email?: string) =>
  await renewOwnerKey(domain, (await findAlbum(domain.db, { id: album.id }))!, COMMAND_LINE, { email })

const optOut = (faces: number, photos = 0, state: OptOutState = 'active') =>
  domain.db
    .insertInto('opt_outs')
    .values({
      album_id: album.id,
      state,
      faces,
      photos_to_hide: photos > 0 ? Array.from({ length: photos }, () => randomUUID()) : null,
    })
    .execute()
const confirm = () =>
  domain.db
    .updateTable('albums')
    .set({ address_confirmed_at: sql<Date>`now()` })
    .where('id', '=', album.id)
    .execute()
const pass = (hours: number) =>
  sql`update opt_outs set told_at = told_at - make_interval(hours => ${hours}::integer)`.execute(domain.db)

test('one letter tells the owner of all opt-outs in numbers, and of requests to hide photos, with a link to answer', async () => {
  await confirm()
  await optOut(12)
  await optOut(3, 4)
  await run()
  await run()
  expect(sent).toHaveLength(1)
  const [{ text, html, to, subject }] = sent as [Letter]
  expect([to, subject]).toEqual(['owner@example.com', 'Guests have opted out of your photo album'])
  expect(text).toContain('2 guests do not want to be found any more. 15 faces are hidden')
  expect(text).toContain('A guest asks you to hide 4 photos.')
  expect(text).toMatch(
    /\nSee the numbers, revoke, or answer: https:\/\/photos\.example\.com\/opt-outs#[\w-]{43}\n/,
  )
  expect(html.match(/opt-outs#/g)).toHaveLength(1)
  expect(text).not.toContain('This was not me')
})

test('the next letter comes an hour later, and eight hours later while the address is not confirmed', async () => {
  const due = async () => {
    await lookForUntold(domain)
    const jobs = await domain.waiting(queues.tellOptOuts.name)
    await domain.jobs.dropWaiting(queues.tellOptOuts)
    return jobs
  }
  await optOut(1)
  expect(await due()).toEqual([{ albumId: album.id }])
  await run()
  expect(sent[0]!.text).toContain('This was not me: https://photos.example.com/stop-letters#')
  await optOut(2)
  await run()
  await pass(2)
  await run()
  expect(sent).toHaveLength(1)
  expect(await due()).toEqual([])
  await confirm()
  expect(await due()).toEqual([{ albumId: album.id }])
  await run()
  expect(sent[1]!.text).toContain('A guest does not want to be found any more. 2 faces are hidden')
  expect(await due()).toEqual([])
})

test.each([
  { what: 'another opt-out', next: '5 faces are hidden' },
  { what: 'a new owner key', next: '6 faces are hidden' },
])(
  'an album has one job at a time: $what while a letter is being sent is in a later one',
  async ({ what, next }) => {
    await confirm()
    const send = () =>
      domain.db
        .transaction()
        .execute((trx) => domain.jobs.send(trx, queues.tellOptOuts, [{ albumId: album.id }]))
    await optOut(1)
    await send()
    const { boss } = domain.queue
    const [job] = await boss.fetch(queues.tellOptOuts.name)
    await run(async (letter) => {
      sent.push(letter)
      await optOut(5)
      await (what === 'a new owner key' ? renew() : send())
      expect(await boss.fetch(queues.tellOptOuts.name)).toEqual([])
    })
    await boss.complete(queues.tellOptOuts.name, job!.id)
    await pass(2)
    await lookForUntold(domain)
    expect(await boss.fetch(queues.tellOptOuts.name)).toHaveLength(1)
    await run()
    expect(sent).toMatchObject([{}, { text: expect.stringContaining(next) }])
    await boss.deleteAllJobs(queues.tellOptOuts.name)
  },
)

test('a letter that may not have arrived is sent again under the same id, without later ones', async () => {
  await confirm()
  await optOut(1)
  const ids: string[] = []
  const away: Mailer['send'] = async ({ id }) => {
    ids.push(id)
    throw new AppError('SERVICE_UNAVAILABLE', 'The mail server does not answer')
  }
  await expect(run(away)).rejects.toThrow('does not answer')
  await optOut(5)
  await run()
  expect(sent).toMatchObject([{ id: ids[0], text: expect.stringContaining('1 face is hidden') }])
})

test.each([undefined, 'heir@example.com'])(
  'a new owner key ends the links of the last letter, so another one tells of what is open: %s',
  async (email) => {
    await optOut(1)
    await optOut(2, 3, 'erased')
    await optOut(4, 0, 'erased')
    await optOut(5, 0, 'undone')
    // The key changes while the first letter is being sent, and is not in the outbox yet.
    await run(async (letter) => {
      await renew(email)
      await runWaiting(removeLetters)
      await working(letter)
    })
    expect([...kept]).toEqual([])
    await runWaiting(tellOptOuts)
    expect([...kept]).toEqual([sent[1]!.id])
    await renew(email)
    await runWaiting(removeLetters)
    expect([...kept]).toEqual([])
    await runWaiting(tellOptOuts)
    expect(sent).toMatchObject([
      {},
      { to: email ?? 'owner@example.com', text: expect.stringContaining('7 faces are hidden') },
      { text: expect.stringContaining('3 faces are hidden') },
    ])
    const { text } = sent[2]!
    const token = /opt-outs#([\w-]{43})/.exec(text)![1]!
    expect(await findAlbumOfOptOuts(domain, token)).toMatchObject({ id: album.id })
  },
)

test('no letter is sent when the letters were ended, or the address refuses them', async () => {
  await optOut(1)
  const refuses: Mailer['send'] = () =>
    Promise.reject(new AppError('UNPROCESSABLE_CONTENT', 'The mail server refuses the recipient permanently'))
  await run(refuses)
  await optOut(1)
  await domain.db.updateTable('albums').set({ letters_ended_at: sql<Date>`now()` }).execute()
  await run()
  expect(sent).toEqual([])
})

test('is removed from the outbox when its album is erased', async () => {
  await optOut(1)
  await run()
  const letters = await domain.db.transaction().execute((trx) => lettersOfAlbum(trx, album.id))
  expect(letters).toEqual([sent[0]!.id])
  const faces = { engine: 'embedded', deleteCollection: async () => {}, countFaces: async () => 0 }
  const deps = { ...domain, faces: faces as Partial<FaceIndex> as FaceIndex }
  expect(await eraseAlbum(deps, album, COMMAND_LINE)).toMatchObject({ rowsRemaining: 0 })
})
