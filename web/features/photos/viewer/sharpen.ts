import type PhotoSwipe from 'photoswipe'

type Slide = NonNullable<PhotoSwipe['currSlide']>
type Content = Slide['content']

const sharpened = new WeakSet<Content>()

/** Loads a photo at full size when it is enlarged beyond the pixels of its preview, and shows it once it is complete. If
 *  it does not come, the preview stays, and the next enlargement tries again. */
export function sharpen(content: Content, slide: Slide, photo: { url: string; width: number }): void {
  const image = content.element
  if (!(image instanceof HTMLImageElement) || image.naturalWidth === 0 || sharpened.has(content)) return
  const isEnlarged = slide.currZoomLevel > slide.zoomLevels.initial * 1.01
  const isTooSmall = content.displayedImageWidth * window.devicePixelRatio > image.naturalWidth
  const hasMore = photo.width > image.naturalWidth
  if (!isEnlarged || !isTooSmall || !hasMore) return

  sharpened.add(content)
  const full = new Image()
  full.src = photo.url
  full.decode().then(
    () => {
      image.src = photo.url
    },
    () => sharpened.delete(content),
  )
}
