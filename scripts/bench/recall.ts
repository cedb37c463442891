import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { MatchLimits } from '../../src/faces/embedded/matching/match-limits.ts'
import { distanceOfSimilarity, similarityOfDistance } from '../../src/faces/embedded/matching/similarity.ts'
import { loadFaceEngine } from '../../src/faces/embedded/networks/load-engine.ts'
import { clusteredInterval, type Interval, type Share, together, wilsonInterval } from './recall/intervals.ts'
import { type PairTally, pairTally } from './recall/pairs.ts'
import { describeOnce, readPeople } from './recall/pictures.ts'
import { searchedAlbumOf } from './recall/searched-album.ts'
import { closestStrangers, type Picture, searchWithin, type Tally, tallyOf } from './recall/trials.ts'
import { printTable } from './report.ts'

const USAGE = `Usage: npm run bench -- recall -- FOLDER [--threshold [SIMILARITY …]]
FOLDER has a folder for each person, with pictures of that person.`

/** Where the descriptors are kept. */
const CACHE_FOLDER = join(tmpdir(), 'inframe-bench-faces')

const CURVE = [95, 90, 85, 80, 75, 70, 65, 60, 50, 40, 30, 20, 10]
const STRANGERS = 10

/** Measures how many of a person's photos a selfie finds, and how many photos of other people.
 *  @param args a folder with a folder for each person; --threshold for the figures at each similarity */
export async function benchRecall(args: string[]): Promise<void> {
  const wanted = readArguments(args)
  if (!wanted) return giveUp(USAGE)
  const { folder, thresholds } = wanted
  const { pictures, unusable } = await readPeople(
    folder,
    await describeOnce(CACHE_FOLDER, async () => (await loadFaceEngine()).engine),
  )
  if (pictures.length === 0) return giveUp(`${folder} has no folder with pictures of a face.\n${USAGE}`)
  const album = await searchedAlbumOf(pictures)
  const { limits } = album
  printPictures(pictures, unusable)
  printLimits(limits)
  console.log()
  printTallies('Shown', [
    ['sure, selfie alone', await tallyOf(pictures, searchWithin(limits.sure))],
    [
      'sure, query expansion',
      await tallyOf(
        pictures,
        album.searchFor(({ sure }) => sure),
      ),
    ],
    [
      'sure or possible',
      await tallyOf(
        pictures,
        album.searchFor(({ sure, possible }) => [...sure, ...possible]),
      ),
    ],
  ])
  console.log()
  printPairs(await pairTally(pictures, album.surelyBy))
  console.log()
  printStrangers(pictures)
  const rows: [string, Tally[]][] = []
  for (const threshold of thresholds) {
    const distance = distanceOfSimilarity(threshold)
    const alone = await tallyOf(pictures, searchWithin(distance))
    rows.push([`${threshold} (distance ${distance.toFixed(3)}), selfie alone`, alone])
    rows.push([
      'query expansion',
      await tallyOf(
        pictures,
        album.searchFor(({ sure }) => sure, threshold),
      ),
    ])
  }
  await album.close()
  if (rows.length === 0) return
  console.log()
  printTallies('Sure from similarity', rows)
}

function giveUp(reason: string): void {
  console.error(reason)
  process.exitCode = 1
}

/** @returns undefined when they make no sense */
function readArguments(args: string[]): { folder: string; thresholds: number[] } | undefined {
  const { values, positionals } = parseArgs({
    args,
    options: { threshold: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const [folder, ...similarities] = positionals
  const asked = similarities.map(Number)
  const isThreshold = (value: number) => values.threshold && value > 0 && value <= 100
  if (!folder || !asked.every(isThreshold)) return undefined
  return { folder, thresholds: values.threshold && asked.length === 0 ? CURVE : asked }
}

function printPictures(pictures: readonly Picture[], unusable: readonly string[]): void {
  const people = new Set(pictures.map(({ person }) => person)).size
  console.log(
    `${pictures.length} pictures of ${people} people. Each is the selfie once; the others are the album.`,
  )
  console.log(
    unusable.length === 0
      ? 'A face was found in every picture.'
      : `Not counted, because no face was found: ${unusable.join(', ')}`,
  )
  console.log(`Their descriptors are kept in ${CACHE_FOLDER}; delete it when you need no further run.`)
}

function printLimits({ sure, possible }: MatchLimits): void {
  const text = (distance: number) =>
    `${distance.toFixed(3)} (similarity ${similarityOfDistance(distance).toFixed(0)})`
  console.log(`The limits of such an album are ${text(sure)} for sure and ${text(possible)} for possible.`)
}

/** How much is found and what is wrong, in percent, with the intervals that are 95% certain. */
function printTallies(title: string, rows: [string, Tally[]][]): void {
  printTable(
    [title, 'found', '%', 'Wilson', 'by person', 'wrong', '%', 'Wilson', 'by person'],
    rows.map(([name, tallies]) => [
      name,
      ...columnsOf(tallies.map(({ found }) => found)),
      ...columnsOf(tallies.map(({ wrong }) => wrong)),
    ]),
  )
}

function columnsOf(byPerson: Share[]): string[] {
  const all = together(byPerson)
  return [
    `${all.hits.toLocaleString('en')} of ${all.of.toLocaleString('en')}`,
    all.of > 0 ? percent(all.hits / all.of) : '–',
    rangeOf(wilsonInterval(all)),
    rangeOf(clusteredInterval(byPerson)),
  ]
}

function rangeOf(interval: Interval | undefined): string {
  return interval ? interval.map(percent).join('–') : '–'
}

function percent(part: number): string {
  return (100 * part).toFixed(part < 0.01 ? 3 : 1)
}

function printStrangers(pictures: readonly Picture[]): void {
  printTable(
    ['The closest pictures of two people', 'and', 'distance', 'similarity'],
    closestStrangers(pictures, STRANGERS).map(({ selfie, photo, distance }) => [
      selfie,
      photo,
      distance.toFixed(3),
      similarityOfDistance(distance).toFixed(1),
    ]),
  )
}

function printPairs({ byOne, byTwo, byEither, lost }: PairTally): void {
  const percent = ({ hits, of }: { hits: number; of: number }) => `${((100 * hits) / of).toFixed(1)} %`
  console.log(
    `Sure of ${byOne.of} pictures, by one selfie: ${percent(byOne)}, by two: ${percent(byTwo)}; by at least one of two alone: ${percent(byEither)}. Lost by the second selfie: ${lost}.`,
  )
}
