import type PhotoSwipe from 'photoswipe'
import { addressOf, type ViewedPhoto } from '../photo-path.ts'

type Slide = NonNullable<PhotoSwipe['currSlide']>
type Content = Slide['content']

/** How much larger than the face its mark is. */
const LARGER = 1.5
const mark = document.createElement('div')
mark.className =
  'viewfinder pointer-events-none absolute z-10 text-accent [filter:drop-shadow(0_0_2px_black)] [--corner:30%] [--stroke:2px]'

/** Puts corners around the visitor's face on the photo that is shown, or takes them away. They move with the photo. */
export function placeFaceMark({ currSlide }: PhotoSwipe, face: ViewedPhoto['face']): void {
  mark.remove()
  if (!face || !currSlide || currSlide.content.isError()) return
  const { displayedImageWidth: width, displayedImageHeight: height } = currSlide.content
  const { box } = face
  const more = (LARGER - 1) / 2
  mark.style.left = `${(box.left - box.width * more) * width}px`
  mark.style.top = `${(box.top - box.height * more) * height}px`
  mark.style.width = `${box.width * LARGER * width}px`
  mark.style.height = `${box.height * LARGER * height}px`
  currSlide.container.append(mark)
}

const sharpened = new WeakSet<Content>()

/** Loads a photo at full size when it is enlarged beyond the pixels of its preview, and shows it once it is complete. If
 *  it does not come, the preview stays, and the next enlargement tries again. */
export function sharpen(content: Content, slide: Slide, photo: ViewedPhoto): void {
  const image = content.element
  if (!(image instanceof HTMLImageElement) || image.naturalWidth === 0 || sharpened.has(content)) return
  const isEnlarged = slide.currZoomLevel > slide.zoomLevels.initial * 1.01
  const isTooSmall = content.displayedImageWidth * window.devicePixelRatio > image.naturalWidth
  if (!isEnlarged || !isTooSmall || photo.width <= image.naturalWidth) return
  sharpened.add(content)
  const full = new Image()
  full.src = addressOf(photo, 'full')
  full.decode().then(
    () => {
      image.src = full.src
    },
    () => sharpened.delete(content),
  )
}
