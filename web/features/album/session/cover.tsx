import type { EnteredAlbum } from '../../../../src/contract/albums/albums.ts'

/** The photo above the name of an album: all of it, or as much as a band shows, with the highest head. It has its height before it is
 *  loaded. */
export default function Cover({ url, width, height, facesAt }: NonNullable<EnteredAlbum['cover']>) {
  return (
    <img
      src={url}
      alt=""
      className="mb-8 w-full rounded-xl bg-sunken object-cover"
      style={{
        maxHeight: 'min(24rem, 40vh)',
        aspectRatio: `${width} / ${height}`,
        objectPosition: `50% ${facesAt * 100}%`,
      }}
    />
  )
}
