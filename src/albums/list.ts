import type { Db } from '../database/client.ts'
import { pageOf } from '../database/page-of.ts'
import { type ListPlace, listedAlbums } from './queries.ts'

/** One page of the public list, the newest album first. An album that is added or removed meanwhile moves no other
 *  album to another page.
 *  @param page.cursor the former page's `nextCursor`; undefined for the first page
 *  @returns `nextCursor`: undefined on the last page */
export async function listAlbums(db: Db, { cursor, limit }: { cursor?: string | undefined; limit: number }) {
  const after = cursor ? placeAt(cursor) : undefined
  const found = await listedAlbums(db, { after, limit: limit + 1 }).execute()
  const { rows: albums, nextCursor } = pageOf(found, limit, cursorAt)
  return { albums, nextCursor }
}

const cursorAt = ({ microseconds, id }: ListPlace) => `${microseconds}.${id}`

function placeAt(cursor: string): ListPlace {
  const [microseconds = '', id = ''] = cursor.split('.')
  return { microseconds, id }
}
