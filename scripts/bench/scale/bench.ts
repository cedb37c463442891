import { figure } from '../report.ts'
import { measureColdSearches } from './cold-searches.ts'
import { measureErasing } from './erasing.ts'
import { measureManyMatches } from './many-matches.ts'
import { measurePolls } from './polls.ts'
import { measureReads } from './reads.ts'
import { createSite, type ScaleSite } from './site.ts'
import { measureSmallAlbum } from './small-album.ts'
import { measureTooManySearches } from './too-many-searches.ts'

/** In this order: the last one erases an album. */
const PARTS: Record<string, (site: ScaleSite) => Promise<void>> = {
  polls: measurePolls,
  searches: measureTooManySearches,
  small: measureSmallAlbum,
  cold: measureColdSearches,
  matches: measureManyMatches,
  reads: measureReads,
  erase: measureErasing,
}

/** Photos, of which a twentieth show the guest. */
const LEAST_SIZE = 100

/** Measures what large albums cost everybody else. It fills a database of its own with five albums of `size` photos and
 *  4.6 faces in each photo, and prints a table for each part, with the aims. The yardstick of most figures is the same
 *  thing in an album of six photos, or while nothing else happens.
 *  @param size photos of an album
 *  @param names the parts to measure; all of them by default */
export async function benchScale([size = '1000', ...names]: string[]): Promise<void> {
  const unknown = names.filter((name) => !(name in PARTS))
  if (!(Number(size) >= LEAST_SIZE) || unknown.length > 0) {
    console.error(
      `Usage: npm run bench -- scale -- SIZE [PART...]. SIZE is the photos of an album, at least ${LEAST_SIZE}. The parts are: ${Object.keys(PARTS).join(', ')}.`,
    )
    process.exitCode = 1
    return
  }
  const site = await createSite(Math.round(Number(size)))
  const asked = Object.keys(PARTS).filter((name) => names.length === 0 || names.includes(name))
  for (const name of asked) {
    const began = performance.now()
    console.log()
    await PARTS[name]!(site)
    console.log(`  (${name}: ${figure((performance.now() - began) / 1_000)} s)`)
  }
}
