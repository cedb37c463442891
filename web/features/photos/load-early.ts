/** Begins to load the thumbnails of the first row as soon as their addresses are known. Without this, a
 *  slow phone requests them 70 ms later, when it has drawn the tiles. */
export function loadEarly(photos: readonly { thumbUrl: string }[], columns: number): void {
  for (const { thumbUrl } of photos.slice(0, columns)) new Image().src = thumbUrl
}
