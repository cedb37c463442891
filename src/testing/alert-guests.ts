import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect } from 'vitest'
import { addAlert } from '../alerts/add-alert.ts'
import { confirmAlert } from '../alerts/alert-answers.ts'
import type { AppContext } from '../context.ts'
import type { AddedAlert } from '../contract/alerts.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { lookForNews, lookForPhotos } from '../jobs/alerts.ts'
import type { Letter } from '../mail/mailer.ts'
import { sealSearch } from '../search/search-token.ts'
import { album, domain, newAlbumForEachTest } from './domain.ts'
import { indexedFace } from './engine-answers.ts'
import { insertStoredPhotos } from './indexed-photos.ts'
import { emptyMailbox, mailbox, mailDeps, passHours, sendLetters } from './mailbox.ts'

export const engine = {
  /** The photos in which it finds the guest. */
  mine: [] as string[],
  searches: 0,
}

/** An album for each test of a file, without letters and alerts from the test before. */
export function newGuestsForEachTest(): void {
  newAlbumForEachTest()
  beforeEach(async () => {
    engine.mine = []
    engine.searches = 0
    await emptyMailbox(domain.db)
    await domain.db.deleteFrom('photo_alerts').execute()
    for (const queue of ['send-letter', 'look-for-photos']) await domain.dropWaiting(queue)
  })
}

export const evidence = { engine: 'embedded' as const, bytes: Buffer.alloc(516, 7) }

export function deps(changes: Partial<AppContext> = {}): AppContext {
  const faces: Partial<FaceIndex> = {
    engine: 'embedded',
    async search([albumId], person) {
      engine.searches++
      expect(person.evidence).toEqual(evidence.bytes)
      const sure = engine.mine.map((photoId) => ({ photoId, faceId: randomUUID(), similarity: 99 }))
      return { found: new Map([[albumId!, { sure, possible: [] }]]), selfies: [] }
    },
    deleteCollection: async () => {},
    countFaces: async () => 0,
  }
  return { ...mailDeps(domain), faces: faces as FaceIndex, ...changes }
}

const WHO = { address: '192.0.2.7', sessionId: undefined }
const NOTHING = { confirmed: [], rejected: [] }
export const searchTokenOf = (searchedAt = Date.now(), sessionId = '') =>
  sealSearch(
    domain.keyring,
    { album, sessionId },
    {
      ...{ evidence, selfies: 1, selfiesAt: searchedAt, searchedAt },
      kept: NOTHING,
      answers: NOTHING,
      asked: [],
    },
    false,
  ).token

/** Asks, and runs the job that sends the first letter. */
export async function ask(
  email = 'guest@example.com',
  searchToken = searchTokenOf(),
  network = WHO.address,
): Promise<AddedAlert> {
  const added = await addAlert(deps(), album, { email, searchToken }, { ...WHO, address: network })
  await sendLetters(deps())
  return added
}

export const tokenIn = (letter: Letter, use: string) => new RegExp(`#${use}=([\\w-]+)`).exec(letter.text)![1]!
export const answer = (token: string) => ({ token, address: WHO.address })
export const confirm = (letter: Letter) => confirmAlert(deps(), answer(tokenIn(letter, 'confirm')))

/** A guest who has asked and confirmed. The letters so far are forgotten. */
export async function newGuest(email?: string, searchToken?: string): Promise<AddedAlert> {
  const added = await ask(email, searchToken)
  await confirm(mailbox.sent.at(-1)!)
  mailbox.sent = []
  return added
}

/** Adds photos that are indexed at once.
 *  @param whose whether they show the guest */
export async function addPhotos(count: number, whose: 'mine' | 'others' = 'mine'): Promise<void> {
  for (const photo of await insertStoredPhotos(domain.db, album.id, count)) {
    await domain.settle(photo, { faces: [indexedFace()], unindexed: [] })
    if (whose === 'mine') engine.mine.push(photo.id)
  }
}

/** What happens in a minute. */
export async function passMinute(): Promise<void> {
  await lookForNews.run(deps(), {}, { attempt: 1 })
  const jobs = await domain.waiting('look-for-photos')
  await domain.dropWaiting('look-for-photos')
  for (const payload of jobs) await lookForPhotos.run(deps(), payload, { attempt: 1 })
  await sendLetters(deps())
}

export async function pass(hours: number): Promise<void> {
  const time = sql`make_interval(hours => ${hours}::integer)`
  await sql`update photo_alerts set created_at = created_at - ${time}, ends_at = ends_at - ${time}`.execute(
    domain.db,
  )
  await passHours(domain.db, hours)
}

/** Those that were asked for first come first. */
export const alerts = () => domain.db.selectFrom('photo_alerts').selectAll().orderBy('created_at').execute()
/** The ids of the album's letters. */
export const letterIds = async () => {
  const rows = await domain.db.selectFrom('letters').select('id').where('album_id', '=', album.id).execute()
  return rows.map(({ id }) => id).sort()
}
