import type { Db } from '../database/client.ts'
import { type ListPlace, listedAlbums } from './queries.ts'

type ListedAlbum = Awaited<ReturnType<ReturnType<typeof listedAlbums>['execute']>>[number]

export interface ListPage {
  cursor?: string | undefined
  limit: number
}

interface ListedPage {
  albums: ListedAlbum[]
  nextCursor: string | undefined
}

/** One page of the public list, the newest album first. An album that is added or removed meanwhile moves no other
 *  album to another page.
 *  @param cursor the former page's `nextCursor`, in the form of `listCursor`; undefined for the first page
 *  @returns `nextCursor`: undefined on the last page */
export async function listAlbums(db: Db, { cursor, limit }: ListPage): Promise<ListedPage> {
  // One more than asked for shows whether there is another page.
  const after = cursor ? placeAt(cursor) : undefined
  const found = await listedAlbums(db, { after, limit: limit + 1 }).execute()
  const albums = found.slice(0, limit)
  const last = albums.at(-1)
  return { albums, nextCursor: found.length > limit && last ? cursorAt(last) : undefined }
}

const cursorAt = ({ microseconds, id }: ListPlace) => `${microseconds}.${id}`

function placeAt(cursor: string): ListPlace {
  const [microseconds = '', id = ''] = cursor.split('.')
  return { microseconds, id }
}
