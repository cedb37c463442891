import { limitsOfAlbum, measureNonMates } from '../../../src/faces/embedded/matching/album-limits.ts'
import { distanceOf } from '../../../src/faces/embedded/matching/query-embedding.ts'
import { distanceOfSimilarity } from '../../../src/faces/embedded/matching/similarity.ts'
import { statesOf } from '../../../src/faces/embedded/queries.ts'
import { createSearchThread } from '../../../src/faces/embedded/search-thread.ts'
import { createLog } from '../../../src/log.ts'
import { newAlbum } from '../faces.ts'
import { count, printTable } from '../report.ts'
import { createSite } from '../service.ts'
import { undoLater } from '../undo.ts'
import { type Picture, readPeople, storePictures } from './pictures.ts'
import { clusteredInterval, type Interval, type Share, together, wilsonInterval } from './shares.ts'

/** What the selfies of one person found: of the other pictures of the person, and of those of other people. */
interface Tally {
  found: Share
  wrong: Share
}

/** The names of the pictures that a search by a picture shows. */
type Search = (selfie: Picture) => Promise<Set<string>>

/** Measures how many of a person's photos a selfie finds, and how many photos of other people. Each picture is the selfie
 *  once, and the others are the album.
 *  @param args a folder with a folder for each person, then similarities to compare with the limits of the album */
export async function benchRecall([folder, ...similarities]: string[]): Promise<void> {
  const pictures = folder ? await readPeople(folder) : []
  if (pictures.length === 0)
    throw new Error(`Usage: npm run bench -- recall -- FOLDER [SIMILARITY …]
FOLDER has a folder for each person, with pictures of that person.`)
  const { db, databaseUrl } = await createSite()
  const albumId = await newAlbum(db, 'Recall')
  const nameOf = await storePictures(db, albumId, pictures)
  const state = async () => (await statesOf(db, [albumId])).get(albumId)!
  await measureNonMates(db, albumId, await state())
  const limits = limitsOfAlbum(await state())
  const address = { connectionString: databaseUrl }
  const thread = createSearchThread({ address, log: createLog('warn'), limits: { maxBytes: 1e9 } })
  undoLater(() => thread.close())

  const alone =
    (limit: number): Search =>
    async ({ faces: [selfie] }) => {
      const isNear = ({ descriptor }: Picture['faces'][number]) =>
        distanceOf(selfie!.descriptor, descriptor) <= limit
      return new Set(pictures.filter(({ faces }) => faces.some(isNear)).map(({ name }) => name))
    }
  const asTheService =
    (tiers: ('sure' | 'possible')[]): Search =>
    async ({ faces }) => {
      const person = { selfies: [faces[0]!], confirmed: [], rejected: faces.map(({ faceId }) => faceId) }
      const found = (await thread.search([albumId], person)).get(albumId)!
      return new Set(tiers.flatMap((tier) => found[tier].map(({ photoId }) => nameOf.get(photoId)!)))
    }
  const searches: Record<string, Search> = {
    [`sure (distance ${limits.sure.toFixed(3)}), selfie alone`]: alone(limits.sure),
    'sure, second hop': asTheService(['sure']),
    [`sure or possible (${limits.possible.toFixed(3)})`]: asTheService(['sure', 'possible']),
  }
  for (const similarity of similarities.map(Number)) {
    const distance = distanceOfSimilarity(similarity)
    searches[`similarity ${similarity} (${distance.toFixed(3)}), selfie alone`] = alone(distance)
  }
  const people = new Set(pictures.map(({ person }) => person))
  console.log(`${pictures.length} pictures of ${people.size} people.`)
  const rows: string[][] = []
  for (const [name, search] of Object.entries(searches)) {
    const tallies = await tally(pictures, search)
    const columns = (['found', 'wrong'] as const).flatMap((what) =>
      columnsOf(tallies.map((one) => one[what])),
    )
    rows.push([name, ...columns])
  }
  const columns = ['%', '95%', 'by person']
  printTable(['Shown', 'found', ...columns, 'wrong', ...columns], rows)
}

/** @returns one tally for each person */
async function tally(pictures: readonly Picture[], search: Search): Promise<Tally[]> {
  const tallies = new Map<string, Tally>()
  for (const selfie of pictures) {
    const shown = await search(selfie)
    const { found, wrong } = tallies.get(selfie.person) ?? {
      found: { hits: 0, of: 0 },
      wrong: { hits: 0, of: 0 },
    }
    tallies.set(selfie.person, { found, wrong })
    for (const picture of pictures) {
      if (picture === selfie) continue
      const share = picture.person === selfie.person ? found : wrong
      share.of++
      if (shown.has(picture.name)) share.hits++
    }
  }
  return [...tallies.values()]
}

/** The share in percent, with the intervals that are 95% certain. */
function columnsOf(byPerson: Share[]): string[] {
  const all = together(byPerson)
  const percent = (part: number) => (100 * part).toFixed(part < 0.01 ? 3 : 1)
  const range = (interval: Interval | undefined) => interval?.map(percent).join('–') ?? '–'
  return [
    `${count(all.hits)} of ${count(all.of)}`,
    all.of > 0 ? percent(all.hits / all.of) : '–',
    range(wilsonInterval(all)),
    range(clusteredInterval(byPerson)),
  ]
}
