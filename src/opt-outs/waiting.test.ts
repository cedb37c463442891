import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { COMMAND_LINE, eventsOfAlbum } from '../audit/audit-log.ts'
import { indexPhotos } from '../jobs/index-photos.ts'
import { makeOptOutsPermanentInTime } from '../jobs/make-opt-outs-permanent.ts'
import { optOutsLink } from '../letters/links.ts'
import { queues } from '../queues/queues.ts'
import { tellOwners } from '../testing/mailbox.ts'
import {
  album,
  deps,
  domain,
  engines,
  indexAlbumForEachTest,
  persons,
  rows,
  upload,
} from '../testing/moving-album.ts'
import { imageHash } from '../testing/rekognition/recogniser.ts'
import { numberedPicture } from '../testing/rekognition/table-faces.ts'
import { type Change, changeOptOuts } from './change-opt-out.ts'
import { optOut } from './opt-out.ts'
import { optOutsOfAlbum } from './opt-out-queries.ts'
import { answerOptOuts } from './owner-answers.ts'
import { undoOptOut } from './receipts.ts'

indexAlbumForEachTest()
afterEach(async () => {
  for (const queue of [queues.sendLetter, queues.moveAlbums]) await domain.jobs.dropWaiting(queue)
  await domain.db.deleteFrom('rate_limits').execute()
})

const NETWORK = '203.0.113.7'
/** Changes of settings have used up what the address may do. */
const withLimits = () => ({
  ...domain,
  limits: { ...RATE_LIMITS, changeAlbum: { ...RATE_LIMITS.changeAlbum, calls: 0 } },
})

/** A photo with 31 people: more than may be hidden at once. */
let crowd: string[]
beforeEach(async () => {
  const picture = await numberedPicture(91)
  persons.set(
    imageHash(picture),
    Array.from({ length: 31 }, (_, person) => 100 + person),
  )
  await upload([picture])
  const photoId = (await rows()).find(({ state }) => state === 'stored')!.id
  await indexPhotos.run(deps('embedded'), { photoId }, { attempt: 1 })
  const faces = await domain.db.selectFrom('faces').select('id').where('photo_id', '=', photoId).execute()
  crowd = faces.map(({ id }) => id)
  // Side by side, and each covers some of its neighbours.
  for (const [place, id] of crowd.entries())
    await domain.db
      .updateTable('faces')
      .set({ box_left: place / 40, box_width: 1 / 20 })
      .where('id', '=', id)
      .execute()
})

const ask = (faceIds: string[], network = NETWORK, keepOut = false, sessionId?: string) =>
  optOut(
    deps('embedded'),
    album,
    { faceIds, hidePhotos: false, keepOut },
    { role: 'guest', address: network, sessionId },
  )
const undo = (receipt: string) => undoOptOut(withLimits(), { receipt, address: NETWORK })
const states = async () => (await optOutsOfAlbum(domain.db, album.id)).map(({ state }) => state)
const change = async (what: Change) =>
  await changeOptOuts(
    domain,
    album,
    (await optOutsOfAlbum(domain.db, album.id)).map(({ id }) => id),
    what,
    COMMAND_LINE,
  )
const places = () => domain.db.selectFrom('opted_out_faces').select('id').execute()
const toIndex = async () => (await rows()).filter(({ engine }) => engine === null)

describe('an opt-out that waits', () => {
  test.each(['undo', 'refuse'] as const)('has no photo indexed again after: %s', async (what) => {
    expect(await ask(crowd)).toMatchObject({ state: 'waiting' })
    expect(await change(what)).toHaveLength(1)
    expect([await toIndex(), await places()]).toEqual([[], []])
  })

  test('is not asked for again with the same faces', async () => {
    const twentyOne = crowd.slice(0, 21)
    await ask(twentyOne)
    await expect(ask(twentyOne, '198.51.100.7')).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await ask(crowd, '198.51.100.7')).toMatchObject({ state: 'waiting', faces: 10 })
    // Who waits because of a stranger's request can still opt out.
    expect(await ask(crowd.slice(0, 1))).toMatchObject({ state: 'hidden', faces: 1 })
  })

  test('takes a place of its network only, and gives it back when it ends', async () => {
    await ask(crowd.slice(0, 20))
    const { receipt } = await ask(crowd.slice(20))
    await domain.db
      .insertInto('opt_outs')
      .values(Array.from({ length: 19 }, () => ({ album_id: album.id, state: 'waiting' as const, faces: 1 })))
      .execute()
    await domain.db
      .updateTable('opt_outs')
      .set({ network_hash: sql<null>`(select network_hash from opt_outs where state = 'hidden')` })
      .where('state', '=', 'waiting')
      .execute()
    const others = (
      await domain.db.selectFrom('faces').select('id').where('opt_out_id', 'is', null).execute()
    )
      .map(({ id }) => id)
      .filter((id) => !crowd.includes(id))
    await expect(ask(others)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    // Somebody else behind the network still gets one.
    const other = await ask(others, NETWORK, false, 'another session')
    expect(other).toMatchObject({ state: 'waiting' })
    await undo(other.receipt)
    expect(await ask(others.slice(0, 1), '198.51.100.7')).toMatchObject({ state: 'hidden' })
    await undo(receipt)
    expect(await ask(others.slice(1))).toMatchObject({ state: 'waiting' })
  })

  test('and is allowed hides all its faces, also those that another one had hidden', async () => {
    const left = async () => {
      const rows = await domain.db
        .selectFrom('faces')
        .select('opt_out_id')
        .where('id', 'in', crowd)
        .orderBy('opt_out_id')
        .execute()
      return [rows.length, rows.filter((row) => row.opt_out_id === null).length]
    }
    await ask(crowd.slice(0, 25))
    const other = await ask(crowd.slice(0, 20), '198.51.100.7')
    expect([await states(), await left()]).toEqual([
      ['hidden', 'waiting'],
      [31, 11],
    ])
    await change('allow')
    expect(await left()).toEqual([31, 6])
    await undo(other.receipt)
    expect([await states(), await left(), await toIndex()]).toEqual([['hidden', 'undone'], [31, 6], []])
  })

  test('and is allowed erases all its faces, also those that another one hides', async () => {
    await ask(crowd.slice(0, 25))
    const other = await ask(crowd.slice(0, 20), '198.51.100.7')
    await change('allow')
    await tellOwners(domain.db)
    await sql`update opt_outs set permanent_at = now() where faces = 25`.execute(domain.db)
    await makeOptOutsPermanentInTime.run(deps('embedded'), {}, { attempt: 1 })
    await undo(other.receipt)
    expect((await states()).toSorted()).toEqual(['permanent', 'undone'])
    const left = await domain.db.selectFrom('faces').select('opt_out_id').where('id', 'in', crowd).execute()
    expect(left.map((row) => row.opt_out_id)).toEqual(Array(6).fill(null))
  })

  test('does not come more than a hundred times an hour from one network, though each is undone', async () => {
    for (let times = 0; times < 100; times++)
      await undo((await ask(crowd, NETWORK, false, `session ${times}`)).receipt)
    await expect(ask(crowd, NETWORK, false, 'the next')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    expect(await ask(crowd, '198.51.100.7')).toMatchObject({ state: 'waiting' })
  })

  test('is refused after 14 days', async () => {
    await ask(crowd)
    await makeOptOutsPermanentInTime.run(deps('embedded'), {}, { attempt: 1 })
    expect(await states()).toEqual(['waiting'])
    await sql`update opt_outs set created_at = created_at - interval '14 days'`.execute(domain.db)
    for (let times = 0; times < 2; times++)
      await makeOptOutsPermanentInTime.run(deps('embedded'), {}, { attempt: 1 })
    expect([await states(), await toIndex(), await places()]).toEqual([['refused'], [], []])
  })
})

describe('what an hour allows', () => {
  test('is given back when the guest undoes it, once, and not when the owner revokes it', async () => {
    for (let times = 0; times < 4; times++) {
      const { receipt, state } = await ask(crowd.slice(0, 15))
      expect(state).toBe('hidden')
      for (let again = 0; again < 2; again++) await undo(receipt)
    }
    await ask(crowd.slice(0, 15))
    await change('revoke')
    expect(await ask(crowd.slice(0, 15))).toMatchObject({ state: 'waiting' })
  })

  test('is not given back to a guest who was kept out of later photos', async () => {
    engines.embedded.describePerson = async () => Buffer.from('person 0')
    for (let times = 0; times < 20; times++) {
      const { receipt, state } = await ask(crowd.slice(0, 1), NETWORK, true)
      expect(state).toBe('hidden')
      await undo(receipt)
    }
    expect(await ask(crowd.slice(0, 1), NETWORK, true)).toMatchObject({ state: 'waiting' })
  })
})

test('no more than 500 people are kept out of the later photos of an album', async () => {
  engines.embedded.describePerson = async () => Buffer.from('person 0')
  const person_cipher = Buffer.from('somebody')
  await domain.db
    .insertInto('opt_outs')
    .values(
      Array.from({ length: 499 }, () => ({
        album_id: album.id,
        state: 'hidden' as const,
        faces: 1,
        person_cipher,
      })),
    )
    .execute()
  expect(await ask(crowd.slice(0, 1), NETWORK, true)).toMatchObject({ isKeptOut: true })
  expect(await ask(crowd.slice(1, 2), NETWORK, true)).toMatchObject({ state: 'hidden', isKeptOut: false })
})

describe('who has the receipt or the link of the letter', () => {
  test('is answered also when changes of settings have used up what the address may do', async () => {
    const { receipt } = await ask(crowd.slice(0, 1))
    for (let times = 0; times < 3; times++) expect(await undo(receipt)).toMatchObject({ state: 'undone' })
    await ask(crowd.slice(0, 1))
    const token = optOutsLink(domain.keyring, '', album).split('#')[1]!
    const ids = (await optOutsOfAlbum(domain.db, album.id)).map(({ id }) => id)
    await answerOptOuts(withLimits(), { token, address: NETWORK, ids, change: 'revoke' })
    expect((await states()).toSorted()).toEqual(['revoked', 'undone'])
    const events = (await eventsOfAlbum(domain, album.id)).map(({ event }) => event)
    expect(events.filter((event) => event === 'opt-out undone')).toHaveLength(1)
  })
})
