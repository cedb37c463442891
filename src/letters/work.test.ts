import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Album } from '../database/schema.ts'
import { completeRound } from '../testing/completed-round.ts'
import { domain, newAlbumForEachTest } from '../testing/domain.ts'
import { skippedOfLetter, workOfLetter } from './facts-queries.ts'
import { markClaimed } from './queries.ts'

newAlbumForEachTest()

/** Moves the beginning of a round into the past. */
async function openedEarlier(roundId: string, minutes: number): Promise<void> {
  await sql`update upload_rounds set opened_at = opened_at - make_interval(mins => ${minutes}::integer)
    where id = ${roundId}`.execute(domain.db)
}

/** Begins the letter that waits. */
async function claim({ id }: Album) {
  const waiting = domain.db.selectFrom('letters').select('id').where('album_id', '=', id)
  const letter = await waiting.where('claimed_at', 'is', null).executeTakeFirstOrThrow()
  return await domain.db.transaction().execute((trx) => markClaimed(trx, letter.id))
}

test('the work of a letter begins with the upload and ends with the last settled photo; the next letter is about later ones', async () => {
  const { album, roundId } = await completeRound(domain, {})
  await openedEarlier(roundId, 14)
  const first = await claim(album)
  const again = await completeRound(domain, { album })
  await openedEarlier(again.roundId, 30)
  const second = await claim(album)
  for (const [letter, photos, minutes] of [
    [first, 2, 14],
    [second, 1, 30],
  ] as const) {
    const work = (await workOfLetter(domain.db, letter))!
    expect([work.photos, Math.floor(work.seconds / 60)]).toEqual([photos, minutes])
    expect(await skippedOfLetter(domain.db, letter, 50)).toMatchObject({
      total: 1,
      first: [{ filename: 'notes.jpg' }],
    })
  }
})

test('nothing is said of the work when a letter waited for later uploads', async () => {
  const { album } = await completeRound(domain, {})
  await completeRound(domain, { album })
  expect(await workOfLetter(domain.db, await claim(album))).toBeUndefined()
})
