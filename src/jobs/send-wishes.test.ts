import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { eraseAlbum } from '../albums/erase.ts'
import { lettersOfAlbum } from '../albums/letter-queries.ts'
import { openWishes } from '../albums/take-out-queries.ts'
import { COMMAND_LINE } from '../audit/audit-log.ts'
import { AppError } from '../errors.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import type { Letter, Mailer } from '../mail/mailer.ts'
import { queues } from '../queues/queues.ts'
import { album, domain, newAlbumForEachTest } from '../testing/domain-album.ts'
import type { JobDeps } from './define-handler.ts'
import { sendWishes } from './send-wishes.ts'

newAlbumForEachTest()

let sent: Letter[]
beforeEach(async () => {
  sent = []
  for (const table of ['unconfirmed_letters', 'refused_addresses'] as const)
    await domain.db.deleteFrom(table).execute()
  await domain.jobs.dropWaiting(queues.sendWishes)
})

const working: Mailer['send'] = async (letter) => void sent.push(letter)

function run(send = working): Promise<void> {
  const mailer: Mailer = { send, check: async () => {}, close: async () => {} }
  const deps = { ...domain, mailer, siteUrl: 'https://photos.example.com' } as Partial<JobDeps> as JobDeps
  return sendWishes.run(deps, { albumId: album.id }, { attempt: 1 })
}

const wish = (faces: number, photos = 0) =>
  domain.db
    .insertInto('take_outs')
    .values({
      album_id: album.id,
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
  sql`update take_outs set told_at = told_at - make_interval(hours => ${hours}::integer)`.execute(domain.db)

test('one letter tells the owner what all guests have asked for, with two links for each question', async () => {
  await confirm()
  await wish(12)
  await wish(3, 4)
  await run()
  await run()
  expect(sent).toHaveLength(1)
  const [{ text, html, to, subject }] = sent as [Letter]
  expect([to, subject]).toEqual(['owner@example.com', "Guests' requests about your photo album"])
  expect(text).toContain('2 guests do not want to be found any more. 15 faces were removed')
  expect(text).toMatch(
    /A guest asks you to hide 4 photos\.\nYes, hide them: https:\/\/photos\.example\.com\/hide-photos#yes=[\w-]{43}\nNo, keep them: {2}https:\/\/photos\.example\.com\/hide-photos#no=[\w-]{43}\n/,
  )
  expect(html.match(/hide-photos#/g)).toHaveLength(2)
  expect(text).not.toContain('This was not me')
  expect(await openWishes(domain.db, album.id)).toHaveLength(1)
})

test('the next letter comes an hour later, and a day later while the address is not confirmed', async () => {
  await wish(1)
  await run()
  expect(sent[0]!.text).toContain('This was not me: https://photos.example.com/stop-letters#')
  await wish(2)
  await run()
  await pass(2)
  await run()
  expect(sent).toHaveLength(1)
  await confirm()
  await run()
  expect(sent[1]!.text).toContain('A guest does not want to be found any more. 2 faces were removed')
  const waiting = await domain.waiting(queues.sendWishes.name)
  expect(waiting).toContainEqual({ albumId: album.id })
})

test('a letter that may not have arrived is sent again under the same id, without later wishes', async () => {
  await confirm()
  await wish(1)
  const ids: string[] = []
  const away: Mailer['send'] = async ({ id }) => {
    ids.push(id)
    throw new AppError('SERVICE_UNAVAILABLE', 'The mail server does not answer')
  }
  await expect(run(away)).rejects.toThrow('does not answer')
  await wish(5)
  await run()
  expect(sent).toMatchObject([{ id: ids[0], text: expect.stringContaining('1 face was removed') }])
})

test('no letter is sent when the letters were ended, or the address refuses them', async () => {
  await wish(1)
  const refuses: Mailer['send'] = () =>
    Promise.reject(new AppError('UNPROCESSABLE_CONTENT', 'The mail server refuses the recipient permanently'))
  await run(refuses)
  await wish(1)
  await domain.db.updateTable('albums').set({ letters_ended_at: sql<Date>`now()` }).execute()
  await run()
  expect(sent).toEqual([])
})

test('is removed from the outbox when its album is erased', async () => {
  await wish(1)
  await run()
  const letters = await domain.db.transaction().execute((trx) => lettersOfAlbum(trx, album.id))
  expect(letters).toEqual([sent[0]!.id])
  const faces = { engine: 'embedded', deleteCollection: async () => {}, countFaces: async () => 0 }
  const deps = { ...domain, faces: faces as Partial<FaceIndex> as FaceIndex }
  expect(await eraseAlbum(deps, album.id, COMMAND_LINE)).toMatchObject({ rowsRemaining: 0 })
})
