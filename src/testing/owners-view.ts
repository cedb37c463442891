import { expect } from 'vitest'
import { findAlbum } from '../albums/queries.ts'
import type { Db } from '../database/client.ts'
import { openApiDocument } from '../http/openapi.ts'
import { sendLetter } from '../jobs/send-letter.ts'
import type { Letter } from '../mail/mailer.ts'
import { optOutsLink } from '../opt-outs/owner-links.ts'
import type { TestApp } from './app.ts'
import type { Answer, TestClient } from './client.ts'

/** An album, and the session of its owner. */
export interface OwnedAlbum {
  owner: TestClient
  id: string
  ownerKey: string
  albumName: string
}

/** What the list of opt-outs says, which the owner may learn. */
export interface ListedOptOut {
  id: string
  state: string
  faces: number
  at: string
  permanentAt: string | null
}

/** Calls with which something is read that is not of the album, or is a further page of a search. */
const NOT_OF_ALBUM = /^\/(results|photos|gmail|auth)\/|\/found-photos$/

/** The paths of all documented calls that read something about an album. */
const READS = Object.entries(openApiDocument().paths ?? {}).flatMap(([path, calls]) =>
  calls?.get && !NOT_OF_ALBUM.test(path) ? path : [],
)

/** Everything that an owner can read about an album and that may depend on its faces: the answers of all calls that read, and
 *  of a search with each of these selfies; and the letters about the last upload. What differs between two equal albums is
 *  masked: ids, signatures, tokens, times and passwords. So is the sentence on the time that the work took: it is there from a
 *  minute on. */
export async function ownersView(
  service: TestApp,
  album: OwnedAlbum,
  selfies: Buffer[],
): Promise<Record<string, unknown>> {
  const { owner, ownerKey, albumName } = album
  const read = async (call: Promise<Answer>) => {
    const { status, body } = await call
    expect(status).toBe(200)
    // The list has other albums, too.
    return Array.isArray(body) ? body.filter((one) => one.albumName === albumName) : body
  }
  const reads = READS.map(async (path) => {
    const address = path.replace('{albumName}', albumName).replace('{id}', ownerKey)
    return [path, await read(owner.get(`/api${address}`))] as const
  })
  const searches: unknown[] = []
  for (const selfie of selfies) searches.push(inOrder(await read(owner.search(albumName, selfie))))
  const input = encodeURIComponent(JSON.stringify({ albumName }))
  return masked(
    {
      ...Object.fromEntries(await Promise.all(reads)),
      visit: await read(owner.get(`/trpc/albums.visit?input=${input}`)),
      searches,
      letters: await lettersAbout(service, album),
    },
    album,
  )
}

/** The owner's list of opt-outs. */
export async function listedOptOuts(service: TestApp, { owner, id }: OwnedAlbum): Promise<ListedOptOut[]> {
  const { keyring, db } = service.context.services
  const token = optOutsLink(keyring, '', (await findAlbum(db, { id }))!).split('#')[1]!
  const { body } = await owner.post('/trpc/optOuts.list', { token })
  return body.result.data.optOuts
}

interface Searched {
  photos: { similarity: number; filename: string }[]
  matchedPhotos: string[]
}

/** Photos that match equally well are in the order of their random ids. */
const inOrder = ({ photos, matchedPhotos, ...rest }: Searched) => ({
  ...rest,
  photos: photos.toSorted(
    (one, other) => other.similarity - one.similarity || one.filename.localeCompare(other.filename),
  ),
  matched: matchedPhotos.length,
})

/** The letters about the last upload, as they would be sent now: to an address that is confirmed, and to one that is not. */
async function lettersAbout({ context, url }: TestApp, { id }: OwnedAlbum): Promise<object[]> {
  const { db } = context.services
  const sent: object[] = []
  const mailer = {
    ...context.jobDeps.mailer,
    send: async ({ subject, text, html }: Letter) => void sent.push({ subject, text, html }),
  }
  for (const confirmed of [new Date(), null]) {
    const roundId = await unsentRound(db, id, confirmed)
    await sendLetter.run({ ...context.jobDeps, mailer, siteUrl: url }, { roundId }, { attempt: 1 })
  }
  expect(sent).toHaveLength(2)
  return sent
}

async function unsentRound(db: Db, albumId: string, address_confirmed_at: Date | null): Promise<string> {
  await db.deleteFrom('unconfirmed_letters').execute()
  await db.updateTable('albums').set({ address_confirmed_at }).where('id', '=', albumId).execute()
  await db
    .updateTable('upload_rounds')
    .set({ letter_of: null, letter_begun_at: null, letter_due_at: null, letter_sent_at: null })
    .where('album_id', '=', albumId)
    .execute()
  const { id } = await db
    .selectFrom('upload_rounds')
    .select('id')
    .where('album_id', '=', albumId)
    .orderBy('opened_at', 'desc')
    .executeTakeFirstOrThrow()
  return id
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g
/** Query strings, and what is behind a `#`. */
const BEHIND_ADDRESS = /(https?:[^\s"'?#<\\]*)[?#][^\s"'<\\]+/g
const PASSWORD = /\b[a-z0-9]{4}(-[a-z0-9]{4}){2}\b/g
const TIME_TAKEN = /(\\n\\n|\\n<p [^>]*>)Uploading [^.]* took [^.]*\.(<\/p>)?/g
/** Texts that are random in each answer. */
const RANDOM = new Set(['searchTicket', 'otherSearchTicket', 'id', 'faces', 'albumPassword', 'nextCursor'])

function masked(view: object, { ownerKey, albumName }: OwnedAlbum): Record<string, unknown> {
  const json = JSON.stringify(view, (key, value) =>
    RANDOM.has(key) && typeof value === 'string' ? '(random)' : value,
  )
  const plain = json.replaceAll(ownerKey, '(name)').replaceAll(albumName, '(name)')
  return JSON.parse(
    plain
      .replace(BEHIND_ADDRESS, '$1')
      .replace(UUID, '(id)')
      .replace(TIME, '(time)')
      .replace(PASSWORD, '(password)')
      .replace(TIME_TAKEN, ''),
  )
}
