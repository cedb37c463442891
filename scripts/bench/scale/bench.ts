import { figure, msOf } from '../report.ts'
import { measureErasing } from './erasing.ts'
import { measureColdSearches, measureManyMatches } from './searches.ts'
import { createScaleSite, type ScaleSite } from './site.ts'
import { measureTooManySearches } from './too-many-searches.ts'
import { measurePolls, measureSmallAlbum } from './while-indexing.ts'

/** In this order: the last one erases an album. */
const PARTS: Record<string, (site: ScaleSite) => Promise<void>> = {
  polls: measurePolls,
  searches: measureTooManySearches,
  small: measureSmallAlbum,
  cold: measureColdSearches,
  matches: measureManyMatches,
  erase: measureErasing,
}

/** Measures what large albums cost everybody else. It fills a database of its own with five albums of `size` photos and
 *  4.6 faces in each photo, and prints a table for each part, with the aims. The yardstick of most figures is the same
 *  thing in an album of six photos, or while nothing else happens.
 *  @param size photos of an album
 *  @param names the parts to measure; all of them by default */
export async function benchScale([size = '1000', ...names]: string[]): Promise<void> {
  if (!(Number(size) >= 100 && names.every((name) => name in PARTS)))
    throw new Error(`Usage: npm run bench -- scale -- SIZE [PART...]. SIZE is the photos of an album, at least 100.
The parts are: ${Object.keys(PARTS).join(', ')}.`)
  const site = await createScaleSite(Math.round(Number(size)))
  for (const [name, measure] of Object.entries(PARTS)) {
    if (names.length > 0 && !names.includes(name)) continue
    console.log()
    console.log(`  (${name}: ${figure((await msOf(() => measure(site))) / 1_000)} s)`)
  }
}
