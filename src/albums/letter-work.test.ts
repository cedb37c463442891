import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type CompletedAlbum, completeRound } from '../testing/completed-round.ts'
import { domain, newAlbumForEachTest } from '../testing/domain-album.ts'
import { assignLetter, workOfLetter } from './letter-queries.ts'

newAlbumForEachTest()

/** Moves the beginning of a round into the past. */
async function openedEarlier(roundId: string, minutes: number): Promise<void> {
  await domain.db
    .updateTable('upload_rounds')
    .set({ opened_at: sql<Date>`opened_at - make_interval(mins => ${minutes})` })
    .where('id', '=', roundId)
    .execute()
}

/** Moves the completion of these rounds to the same later moment. */
async function completedLater(roundIds: string[], minutes: number): Promise<void> {
  await domain.db
    .updateTable('upload_rounds')
    .set({ completed_at: sql<Date>`now() + make_interval(mins => ${minutes})` })
    .where('id', 'in', roundIds)
    .execute()
}

const workOf = ({ album, roundId }: CompletedAlbum) =>
  workOfLetter(domain.db, { id: roundId, album_id: album.id })

async function expectWork(letter: CompletedAlbum, photos: number, minutes: number): Promise<void> {
  const work = await workOf(letter)
  expect(work?.photos).toBe(photos)
  expect(work!.seconds / 60).toBeGreaterThanOrEqual(minutes)
  expect(work!.seconds / 60).toBeLessThan(minutes + 1)
}

test('the work of a letter begins with the upload and ends with the last settled photo', async () => {
  const letter = await completeRound(domain, {})
  await openedEarlier(letter.roundId, 14)
  await expectWork(letter, 2, 14)
  // A client that just stops: its round is completed after two quiet minutes.
  await completedLater([letter.roundId], 2)
  await expectWork(letter, 2, 14)
})

test('rounds that end together are one piece of work', async () => {
  const first = await completeRound(domain, {})
  const second = await completeRound(domain, first)
  await openedEarlier(first.roundId, 30)
  await openedEarlier(second.roundId, 10)
  await expectWork(second, 1, 10)
  await completedLater([first.roundId, second.roundId], 0)
  await expectWork(second, 3, 30)
})

test('nothing is said when a letter waited for later rounds', async () => {
  const first = await completeRound(domain, {})
  const second = await completeRound(domain, first)
  await domain.db.transaction().execute(async (trx) => {
    for (const { roundId } of [first, second]) await assignLetter(trx, roundId, first.roundId)
  })
  expect(await workOf(first)).toBeUndefined()
})
