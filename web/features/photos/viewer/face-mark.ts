import type PhotoSwipe from 'photoswipe'
import type { ViewedPhoto } from '../viewed-photo.ts'

/** How much larger than the face its mark is. */
const LARGER = 1.5

export interface FaceMark {
  isWanted: boolean
  /** Puts the mark around the face on the photo that is shown, or takes it away. */
  place(pswp: PhotoSwipe, photos: readonly ViewedPhoto[]): void
}

/** The corners around the visitor's face. They move with the photo. */
export function createFaceMark(): FaceMark {
  const element = document.createElement('div')
  element.className =
    'viewfinder pointer-events-none absolute z-10 text-accent [filter:drop-shadow(0_0_2px_black)] [--corner:30%] [--stroke:2px]'
  return {
    isWanted: false,
    place({ currSlide, currIndex }, photos) {
      const box = photos[currIndex]?.face?.box
      if (!this.isWanted || !box || !currSlide || currSlide.content.isError()) return element.remove()
      const { displayedImageWidth: width, displayedImageHeight: height } = currSlide.content
      const more = (LARGER - 1) / 2
      element.style.left = `${(box.left - box.width * more) * width}px`
      element.style.top = `${(box.top - box.height * more) * height}px`
      element.style.width = `${box.width * LARGER * width}px`
      element.style.height = `${box.height * LARGER * height}px`
      currSlide.container.append(element)
    },
  }
}
