import type { Share } from './intervals.ts'
import type { Face, Picture } from './trials.ts'

/** What two selfies of one person find, compared with what each of them finds alone. */
export interface PairTally {
  /** Of the other pictures of the person: by one selfie, by two, and by at least one of the two alone. */
  byOne: Share
  byTwo: Share
  byEither: Share
  /** What one of the two found alone, and both together did not. */
  lost: number
}

/** Each two pictures of a person are selfies once, and all others are the album.
 *  @param search the names of the pictures that selfies show; never those of the selfies */
export async function pairTally<F extends Face>(
  pictures: readonly Picture<F>[],
  search: (selfies: readonly Picture<F>[]) => Promise<ReadonlySet<string>>,
): Promise<PairTally> {
  const share = (): Share => ({ hits: 0, of: 0 })
  const tally = { byOne: share(), byTwo: share(), byEither: share(), lost: 0 }
  for (const [one, other] of pairsOf(pictures)) {
    const [ofOne, ofOther, ofBoth] = await Promise.all([search([one]), search([other]), search([one, other])])
    for (const { person, name } of pictures) {
      if (person !== one.person || name === one.name || name === other.name) continue
      const isFound = [ofOne.has(name), ofBoth.has(name), ofOne.has(name) || ofOther.has(name)]
      for (const [place, kind] of [tally.byOne, tally.byTwo, tally.byEither].entries()) {
        kind.of++
        if (isFound[place]) kind.hits++
      }
      if (isFound[2] && !isFound[1]) tally.lost++
    }
  }
  return tally
}

function pairsOf<P extends Picture>(pictures: readonly P[]): [P, P][] {
  return pictures.flatMap((one, place) =>
    pictures
      .slice(place + 1)
      .flatMap((other): [P, P][] => (other.person === one.person ? [[one, other]] : [])),
  )
}
