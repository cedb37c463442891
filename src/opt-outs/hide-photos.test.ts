import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { coverageOf } from '../albums/coverage.ts'
import { findAlbum } from '../albums/queries.ts'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { COMMAND_LINE, eventsOfAlbum } from '../audit/audit-log.ts'
import type { OptOutsOutput, OwnersChange } from '../contract/opt-outs.ts'
import { createPhotoLinks } from '../photos/links.ts'
import { countIndexed } from '../photos/owner-queries.ts'
import { indexedPhotos } from '../photos/queries.ts'
import { insertOptOut } from '../testing/album-rows.ts'
import * as two from '../testing/two-engines.ts'
import { album, deps, domain, photos } from '../testing/two-engines.ts'
import { optOut } from './opt-out.ts'
import { answerOptOuts, listOptOuts, showAllPhotos } from './owner-answers.ts'
import { optOutsOfAlbum } from './queries.ts'
import { undoOptOut } from './undo-or-erase.ts'

two.indexAlbumForEachTest()

describe('photos that a guest wants to be hidden', () => {
  const SITE = 'https://photos.example.com'
  const OWNER = { role: 'owner', sessionId: 'of the owner', address: '10.0.0.1' } as const
  const answerDeps = () => ({ ...domain, limits: RATE_LIMITS, links: createPhotoLinks(domain) })

  async function ask(...places: number[]) {
    const faceIds = (await Promise.all(places.map((place) => two.facesOf(photos[place]!)))).flat()
    const { receipt } = await optOut(
      deps('embedded'),
      album,
      { faceIds, hidePhotos: true, keepOut: false },
      two.GUEST,
    )
    const { id } = (await optOutsOfAlbum(domain.db, album.id))[0]!
    const present = (await findAlbum(domain.db, album))!
    const requestIn = ({ optOuts }: OptOutsOutput) => optOuts.find((one) => one.id === id)!.hiding
    return {
      receipt,
      read: async () => requestIn(await listOptOuts(answerDeps(), present, SITE)),
      answer: async (change: OwnersChange) =>
        requestIn(await answerOptOuts(answerDeps(), present, { ids: [id], change }, OWNER, SITE)),
    }
  }
  const shown = async () =>
    (await indexedPhotos(domain.db, album.id, photos)).map(({ id }) => photos.indexOf(id)).sort()

  test('are shown until the owner says yes, and again after the owner says no', async () => {
    const request = await ask(0, 1)
    expect(await request.read()).toMatchObject({ count: 2, answer: null })
    expect((await request.read())!.thumbUrls).toHaveLength(2)
    expect(await shown()).toEqual([0, 1, 2, 3])
    for (let times = 0; times < 2; times++)
      expect(await request.answer('hide')).toMatchObject({ answer: 'hide', thumbUrls: [] })
    expect(await shown()).toEqual([2, 3])
    const current = (await findAlbum(domain.db, album))!
    expect(await coverageOf(domain.db, current)).toMatchObject({ photosHidden: 2, photosSearchable: 2 })
    expect(await countIndexed(domain.db, current)).toBe(2)
    await request.answer('show')
    expect(await shown()).toEqual([0, 1, 2, 3])
    const events = (await eventsOfAlbum(domain, album.id)).map(({ event }) => event)
    expect(events.slice(-2)).toEqual(['photos hidden', 'photos shown again'])
  })

  test('stay hidden when they are indexed again', async () => {
    const request = await ask(0)
    await request.answer('hide')
    await two.reindexIn('rekognition')
    expect(await shown()).toEqual([1, 2, 3])
  })

  test('stay hidden for one guest when the owner shows those of another', async () => {
    const first = await ask(0, 1)
    await first.answer('hide')
    await insertOptOut(domain.db, album.id, [photos[1]!])
    await domain.db.updateTable('opt_outs').set({ answer: 'hide' }).execute()
    await first.answer('show')
    expect(await shown()).toEqual([0, 2, 3])
    expect(await showAllPhotos(domain, album, COMMAND_LINE)).toBe(1)
    expect(await shown()).toEqual([0, 1, 2, 3])
  })

  test('stay as they are when the guest takes the opt-out back: an unanswered request ends', async () => {
    const asked = await ask(0)
    await undoOptOut(answerDeps(), { receipt: asked.receipt, address: '10.0.0.1' })
    expect(await asked.answer('hide')).toBeNull()
    const answered = await ask(1)
    await answered.answer('hide')
    await undoOptOut(answerDeps(), { receipt: answered.receipt, address: '10.0.0.1' })
    expect(await shown()).toEqual([0, 2, 3])
    await answered.answer('show')
    expect(await shown()).toEqual([0, 1, 2, 3])
  })

  test.each(['hide', 'revoke'] as const)(
    'and opt-outs stay as they are when there is another owner before a press: %s',
    async (change) => {
      const { answer } = await ask(0)
      const waiting = () =>
        sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(domain.db)
      const { pressed } = await domain.db.transaction().execute(async (trx) => {
        await trx
          .updateTable('albums')
          .set({ owner_key_version: album.owner_key_version + 1 })
          .where('id', '=', album.id)
          .execute()
        const pressed = expect(answer(change)).rejects.toMatchObject({ code: 'CONFLICT' })
        await expect.poll(async () => (await waiting()).rows[0]!.count).toBe(1)
        return { pressed }
      })
      await pressed
      expect(await shown()).toEqual([0, 1, 2, 3])
      expect(await optOutsOfAlbum(domain.db, album.id)).toMatchObject([{ state: 'active', answer: null }])
    },
  )
})
