import { hashKey, type InfiniteData, useQueryClient } from '@tanstack/react-query'
import type { OwnerPhoto, WhichPhotos } from '../../../../src/contract/desk-photos.ts'
import { PAGE_MAX_PHOTOS, PHOTOS_LOADED_AT_ONCE } from '../../../../src/contract/limits.ts'
import type { PhotoKind } from '../../../../src/contract/photo-kinds.ts'
import { photoKinds } from '../../../../src/texts/english/desk/desk-photos.ts'
import { trpc } from '../../../trpc.ts'
import { usePhotoPages } from '../../photos/photo-pages.tsx'

export interface PhotoFilter {
  which?: WhichPhotos | undefined
  camera?: string | undefined
  hour?: string | undefined
}

/** What the browser keeps of each of 100,000 photos: one address, see `addressOf`. */
export interface ListedPhoto extends Omit<OwnerPhoto, 'url' | 'previewUrl' | 'downloadUrl'> {
  note: string | undefined
}

/** What a tile says about its photo. Those that guests find need no word. */
const NOTES: { [Kind in PhotoKind]?: string } = { ...photoKinds, searchable: undefined }

export const withKind = (photo: Omit<ListedPhoto, 'note'>, kind: PhotoKind): ListedPhoto => ({
  ...photo,
  kind,
  note: NOTES[kind],
})

const inShort = ({ url: _, previewUrl: __, downloadUrl: ___, ...photo }: OwnerPhoto) =>
  withKind(photo, photo.kind)

/** The photos of an album that its owner wants to see, a page at a time. */
export function useOwnerPhotos(id: string, filter: PhotoFilter) {
  const { client } = trpc.useUtils()
  const queries = useQueryClient()
  const ofAlbum = ['photos for the owner', id]
  const queryKey = [...ofAlbum, filter]
  // Another section may have changed them, so they are not kept.
  const list = usePhotoPages(queryKey, load, { gcTime: 0 })

  async function load(cursor: string | undefined) {
    const limit = cursor ? PAGE_MAX_PHOTOS : PHOTOS_LOADED_AT_ONCE
    const page = await client.albums.ownerPhotos.query({ id, ...filter, limit, cursor })
    return { ...page, photos: page.photos.map(inShort) }
  }

  return {
    ...list,
    /** Shows what has become of photos, without those for which there is nothing. */
    change(ids: ReadonlySet<string>, to: (photo: ListedPhoto) => ListedPhoto[]) {
      queries.setQueryData<InfiniteData<{ photos: ListedPhoto[] }>>(
        queryKey,
        (loaded) =>
          loaded && {
            ...loaded,
            pages: loaded.pages.map((page) => ({
              ...page,
              photos: page.photos.flatMap((photo) => (ids.has(photo.id) ? to(photo) : photo)),
            })),
          },
      )
      // The owner may see others by now, which were asked for before the change was done.
      const isOther = ({ queryHash }: { queryHash: string }) => queryHash !== hashKey(queryKey)
      void queries.invalidateQueries({ queryKey: ofAlbum, predicate: isOther })
    },
  }
}
export type OwnerPhotos = ReturnType<typeof useOwnerPhotos>
