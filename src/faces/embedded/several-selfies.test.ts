import { afterAll, expect, test } from 'vitest'
import { createPool } from '../../database/client.ts'
import { domainOfFile } from '../../testing/domain.ts'
import { recordPhotos } from '../../testing/recorded-faces.ts'
import { syntheticPeople } from '../../testing/synthetic-people.ts'
import type { FoundPerson } from '../face-index.ts'
import { createAlbumSearch } from './album-search.ts'
import { measureNonMates } from './matching/album-limits.ts'
import type { QueryFace } from './matching/query-embedding.ts'
import { statesOf } from './queries.ts'

const ROUNDS = 20

const domain = await domainOfFile()
const pool = createPool(domain.address, () => {})
const albums = createAlbumSearch(pool, { maxBytes: 1e9 })
afterAll(() => albums.close())

/** An album with photos of a person, of somebody who looks like them and of others, some of them together, and three selfies
 *  of the person of very different quality. */
async function randomAlbum(seed: number) {
  const people = syntheticPeople(seed)
  // The same in every run.
  const part = (n: number) => ((seed * 7919 + n * 104_729) % 1_000) / 1_000
  const ada = people.person()
  const sister = people.lookAlike(ada, 0.35 + 0.3 * part(1))
  const selfies: QueryFace[] = [0, 1, 2].map((n) => ({
    descriptor: people.pictureOf(ada, 0.1 + 0.45 * part(n + 20)),
    strictness: part(n + 30) < 0.4 ? 0.04 : 0,
  }))
  const photos = [
    // A person's photos of one evening are more like one selfie than like the others.
    ...selfies.flatMap(({ descriptor }, selfie) =>
      Array.from({ length: 3 }, (_, n) => [
        people.pictureOf(descriptor, 0.3 + 0.25 * part(3 * selfie + n + 2)),
      ]),
    ),
    ...Array.from({ length: 4 }, () => [people.pictureOf(sister)]),
    ...Array.from({ length: 3 }, () => [people.pictureOf(ada, 0.3), people.pictureOf(sister)]),
    ...Array.from({ length: 40 }, () => [people.pictureOf(people.person())]),
  ]
  const { id } = await domain.newAlbum()
  await recordPhotos(domain.db, id, photos)
  // So that all searches have the same limits.
  await measureNonMates(domain.db, id, (await statesOf(domain.db, [id])).get(id)!)
  return {
    selfies,
    async find(some: QueryFace[]): Promise<FoundPerson> {
      const person = { selfies: some, confirmed: [], rejected: [] }
      return (await albums.search([id], person)).get(id)!
    },
  }
}

const photosOf = (matches: FoundPerson['sure']) => matches.map(({ photoId }) => photoId)

test(`more selfies lose no photo that one of them surely finds, in ${ROUNDS} random albums`, async () => {
  let found = 0
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const { selfies, find } = await randomAlbum(seed)
    const alone = await Promise.all(selfies.map(async (selfie) => photosOf((await find([selfie])).sure)))
    const pair = await find(selfies.slice(0, 2))
    const all = await find(selfies)
    const [ofPair, ofAll] = [photosOf(pair.sure), photosOf(all.sure)]
    expect(ofPair, `seed ${seed}`).toEqual(expect.arrayContaining([...alone[0]!, ...alone[1]!]))
    expect(ofAll, `seed ${seed}`).toEqual(expect.arrayContaining(alone.flat()))
    // No photo is in the answer twice, and the visitor is not asked about what is shown.
    const shown = [...ofAll, ...photosOf(all.possible)]
    expect(new Set(shown).size, `seed ${seed}`).toBe(shown.length)
    found += ofAll.length
  }
  expect(found).toBeGreaterThan(5 * ROUNDS)
})
