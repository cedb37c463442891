import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect } from 'vitest'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { addAlert } from '../alerts/add-alert.ts'
import { confirmAlert } from '../alerts/alert-answers.ts'
import type { AddedAlert } from '../contract/alerts.ts'
import type { FaceIndex } from '../faces/face-index.ts'
import { askToConfirm } from '../jobs/ask-to-confirm.ts'
import type { JobDeps } from '../jobs/define-handler.ts'
import { lookForNewsEveryMinute } from '../jobs/look-for-news.ts'
import { sendNews } from '../jobs/send-news.ts'
import type { Letter, Mailer } from '../mail/mailer.ts'
import type { KeptLetters } from '../mail/outbox.ts'
import { queues } from '../queues/queues.ts'
import { sealSearch } from '../search/search-token.ts'
import { album, domain, newAlbumForEachTest } from './domain-album.ts'
import { indexedFace } from './indexed-face.ts'
import { insertStoredPhotos } from './indexed-photos.ts'

/** What the mail server has got, and what was removed from the outbox. */
export const mailbox = {
  sent: [] as Letter[],
  removed: [] as string[],
  send: (async () => {}) as Mailer['send'],
}
export const engine = {
  /** The photos in which it finds the guest. */
  mine: [] as string[],
  searches: 0,
}

/** An album for each test of a file, without letters and alerts from the test before. */
export function newGuestsForEachTest(): void {
  newAlbumForEachTest()
  beforeEach(async () => {
    mailbox.sent = []
    engine.mine = []
    mailbox.removed = []
    engine.searches = 0
    mailbox.send = async (letter) => void mailbox.sent.push(letter)
    for (const table of ['photo_alerts', 'unconfirmed_letters', 'refused_addresses', 'rate_limits'] as const)
      await domain.db.deleteFrom(table).execute()
    for (const queue of [queues.askToConfirm, queues.sendNews, queues.forgetErased])
      await domain.jobs.dropWaiting(queue)
  })
}

export const evidence = { embedded: Buffer.alloc(516, 7) }

export function deps(changes: Partial<JobDeps> = {}): JobDeps {
  const faces: Partial<FaceIndex> = {
    engine: 'embedded',
    async search([albumId], person) {
      engine.searches++
      expect(person.evidence).toEqual(evidence.embedded)
      const sure = engine.mine.map((photoId) => ({ photoId, faceId: randomUUID(), similarity: 99 }))
      return { found: new Map([[albumId!, { sure, possible: [] }]]), selfies: [] }
    },
    deleteCollection: async () => {},
    countFaces: async () => 0,
  }
  const outbox: KeptLetters = {
    remove: async (ids) => void mailbox.removed.push(...ids),
    count: async () => 0,
  }
  const mailer: Mailer = {
    send: (letter) => mailbox.send(letter),
    check: async () => {},
    close: async () => {},
  }
  const own = { faces, outbox, mailer, siteUrl: 'https://photos.example.com', limits: RATE_LIMITS }
  return { ...domain, ...own, ...changes } as Partial<JobDeps> as JobDeps
}
export const callDeps = () => ({ ...deps(), limits: RATE_LIMITS })

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
  const added = await addAlert(callDeps(), album, { email, searchToken }, { ...WHO, address: network })
  for (const payload of await domain.waiting(queues.askToConfirm.name))
    await askToConfirm.run(deps(), payload, { attempt: 1 })
  await domain.jobs.dropWaiting(queues.askToConfirm)
  return added
}

export const tokenIn = (letter: Letter, use: string) => new RegExp(`#${use}=([\\w-]+)`).exec(letter.text)![1]!
export const answer = (token: string) => ({ token, address: WHO.address })
export const confirm = (letter: Letter) => confirmAlert(callDeps(), answer(tokenIn(letter, 'confirm')))

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
  await lookForNewsEveryMinute.run(deps(), {}, { attempt: 1 })
  const jobs = await domain.waiting(queues.sendNews.name)
  await domain.jobs.dropWaiting(queues.sendNews)
  for (const payload of jobs) await sendNews.run(deps(), payload, { attempt: 1 })
}
export const pass = (hours: number) =>
  sql`
    update photo_alerts set
      created_at = created_at - make_interval(hours => ${hours}::integer),
      ends_at = ends_at - make_interval(hours => ${hours}::integer),
      told_at = told_at - make_interval(hours => ${hours}::integer)`.execute(domain.db)

/** Those that were asked for first come first. */
export const alerts = () => domain.db.selectFrom('photo_alerts').selectAll().orderBy('created_at').execute()
export const lettersToRemove = async () => (await alerts()).flatMap(({ letter_ids }) => letter_ids)
