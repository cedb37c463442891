import type { z } from 'zod'
import type { guestsOutput } from '../contract/albums/album-guests.ts'
import type { Db } from '../database/client.ts'
import type { Grant } from './access.ts'
import { addToHour, type GuestCounts, hoursOfAlbum } from './visitor-queries.ts'

/** What a guest does for the first time. */
export type GuestStep = 'entered' | 'searched' | 'found'

/** A visitor whose browser remembers what was counted. Nothing of a guest is stored here. */
export interface CountedVisitor {
  grants: Grant[]
  /** Whether this step was not counted yet for the visitor. From now on it is. */
  isFirst(albumId: string, step: GuestStep): boolean
}

/** Adds up what guests do, for the owner of their album. What the owner does is not counted, also as a guest would see it. */
export async function countGuests(
  db: Db,
  albumId: string,
  { grants }: Pick<CountedVisitor, 'grants'>,
  counts: () => GuestCounts,
): Promise<void> {
  if (grants.some((grant) => grant.albumId === albumId && grant.role === 'owner')) return
  const added = counts()
  if (Object.keys(added).length > 0) await addToHour(db, albumId, added)
}

/** How a search ended. */
export type SearchResult = 'found' | 'nothing' | 'no_face'

/** Counts a search, and its guest once.
 *  @param result undefined: it is not known yet
 *  @param isNew with a selfie: what is repeated without one is no other search */
export async function countSearch(
  db: Db,
  albumId: string,
  visitor: CountedVisitor,
  { result, isNew }: { result: SearchResult | undefined; isNew: boolean },
): Promise<void> {
  await countGuests(db, albumId, visitor, () => ({
    ...(visitor.isFirst(albumId, 'searched') && { searched: 1 }),
    ...(result === 'found' && visitor.isFirst(albumId, 'found') && { found: 1 }),
    ...(isNew && result && result !== 'found' && { [result]: 1 }),
  }))
}

/** What guests of an album have done: in all, and by hour. */
export async function guestsOf(db: Db, albumId: string): Promise<z.infer<typeof guestsOutput>> {
  const rows = await hoursOfAlbum(db, albumId)
  const hours = rows.map(({ hour, no_face: noFace, taken_home: takenHome, ...row }) => {
    const { entered, searched, found, nothing, letters } = row
    return { hour: hour.toISOString(), entered, searched, found, noFace, nothing, takenHome, letters }
  })
  const total = (name: Exclude<keyof (typeof hours)[number], 'hour'>) =>
    hours.reduce((sum, hour) => sum + hour[name], 0)
  return {
    entered: total('entered'),
    searched: total('searched'),
    found: total('found'),
    noFace: total('noFace'),
    nothing: total('nothing'),
    takenHome: total('takenHome'),
    letters: total('letters'),
    hours,
  }
}
