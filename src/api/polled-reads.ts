import type { z } from 'zod'
import { hasGrant, requireAlbumOfGuest, requireBrowsableAlbum, requireProgress } from '../albums/access.ts'
import { type ListPage, listAlbums } from '../albums/list.ts'
import { countLookup } from '../albums/name-lookups.ts'
import { findAlbumStatus } from '../albums/polled-queries.ts'
import { progressOf } from '../albums/progress.ts'
import { countIndexed } from '../albums/queries.ts'
import { listAlbumsInput } from '../contract/album-list.ts'
import { browseInput } from '../contract/album-photos.ts'
import { albumNameInput, progressInput } from '../contract/albums.ts'
import { foundPhotosInput } from '../contract/search.ts'
import { resultPhotosInput, submissionInput } from '../contract/submissions.ts'
import type { Db } from '../database/client.ts'
import { shareReads } from '../database/shared-reads.ts'
import { browseAlbum } from '../search/browse.ts'
import { photosOfPage } from '../search/search-album.ts'
import { submissionPhotos, submissionResults } from '../search/submission-results.ts'
import { summaryOf } from './album-summary.ts'
import type { CallContext } from './trpc.ts'

/** What a read may use whose answer is the same for every visitor. */
type OpenContext = Pick<CallContext, 'services' | 'origin' | 'setHeader'>
/** What a read may use whose answer depends on the rights of the session. */
export type ReadContext = OpenContext & Pick<CallContext, 'visitor'>

/** A procedure that pages call every few seconds, or whose answer is long. */
export interface PolledRead<
  Context = ReadContext,
  Input extends z.ZodType = z.ZodType,
  Output extends object = object,
> {
  /** The procedure's name in the router. */
  name: string
  input: Input
  /** Readers who share an answer are given the same object. Nobody changes it. */
  answer(context: Context, input: z.output<Input>): Promise<Output>
  /** Its answer is the same for every visitor. */
  isForEverybody: boolean
  /** Its answer is sent compressed. See src/http/compression.ts for which answers may be. */
  isCompressed?: boolean
}

type Definition<Context, Input extends z.ZodType, Output extends object> = Omit<
  PolledRead<Context, Input, Output>,
  'isForEverybody'
>

const sessionRead = <Input extends z.ZodType, Output extends object>(
  read: Definition<ReadContext, Input, Output>,
) => ({
  ...read,
  isForEverybody: false,
})

const openRead = <Input extends z.ZodType, Output extends object>(
  read: Definition<OpenContext, Input, Output>,
) => ({
  ...read,
  isForEverybody: true,
})

export const progressRead = sessionRead({
  name: 'albums.progress',
  input: progressInput,
  answer: async ({ services, visitor }, { id }) =>
    progressOf(await requireProgress(services.db, id, visitor.grants)),
})

export const authStatusRead = sessionRead({
  name: 'albums.authStatus',
  input: albumNameInput,
  async answer({ services, visitor }, { albumName }) {
    const album = await findAlbumStatus(services.db, albumName)
    const isAuthenticated = album !== undefined && hasGrant(album, visitor.grants)
    const { address } = visitor
    if (!isAuthenticated) await countLookup(services, { address, slug: albumName }, album !== undefined)
    return {
      albumExists: album !== undefined,
      isAuthenticated,
      displayName: album?.display_name ?? null,
    }
  },
})

/** A page of the public list. Equal reads that begin together share it. */
export const listedPage = shareReads(
  async (db: Db, page: ListPage) => {
    const { albums, nextCursor } = await listAlbums(db, page)
    return { albums: albums.map(summaryOf), nextCursor }
  },
  ({ cursor = '', limit }) => `${limit} ${cursor}`,
)

export const listRead = openRead({
  name: 'albums.list',
  input: listAlbumsInput,
  async answer({ services, origin, setHeader }, { limit, cursor }) {
    const { albums, nextCursor } = await listedPage(services.db, { limit, cursor })
    if (nextCursor) {
      const next = `${origin}/api/albums/list?limit=${limit}&cursor=${nextCursor}`
      setHeader('link', `<${next}>; rel="next"`)
    }
    return albums
  },
})

export const resultsRead = openRead({
  name: 'submissions.results',
  input: submissionInput,
  answer: ({ services, origin }, { id }) => submissionResults(services, { id, origin }),
})

export const resultPhotosRead = openRead({
  name: 'submissions.photos',
  input: resultPhotosInput,
  isCompressed: true,
  answer: ({ services, origin }, page) => submissionPhotos(services, page, origin),
})

export const foundPhotosRead = sessionRead({
  name: 'albums.foundPhotos',
  input: foundPhotosInput,
  isCompressed: true,
  async answer({ services, visitor, origin }, { albumName, page }) {
    const album = await requireAlbumOfGuest(services, albumName, visitor)
    return { photos: await photosOfPage(services, album, page, origin) }
  },
})

export const browseRead = sessionRead({
  name: 'albums.browse',
  input: browseInput,
  isCompressed: true,
  async answer({ services, visitor, origin }, { albumName, ...page }) {
    const album = await requireBrowsableAlbum(services, albumName, visitor)
    const { photos, nextCursor } = await browseAlbum(services, album, page, origin)
    return { photos, totalPhotos: await countIndexed(services.db, album), nextCursor }
  },
})

export const POLLED_READS: PolledRead[] = [progressRead, authStatusRead, listRead, resultsRead]
/** Pages do not repeat these. Their answers are long. */
export const LONG_READS: PolledRead[] = [resultPhotosRead, foundPhotosRead, browseRead]
