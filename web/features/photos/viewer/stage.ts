import PhotoSwipe, { type SlideData } from 'photoswipe'
import { viewer as texts } from '../../../../src/texts/english/photos.ts'
import { pathOf, type ViewedPhoto } from '../photo-path.ts'
import 'photoswipe/style.css'

export type PictureState = 'loading' | 'shown' | 'failed'

export interface StageOptions {
  host: HTMLElement
  /** At least one. */
  photos: readonly ViewedPhoto[]
  first: number
  /** Another photo is shown, or the photo that is shown has another state. */
  onChange(index: number, state: PictureState): void
  /** The photo was tapped once. */
  onTap(): void
  /** The photo was dragged away. */
  onClose(): void
}

/** Shows one photo of many, which is moved and zoomed by touch, mouse and keyboard. */
export interface Stage {
  /** Steps forward by this many photos, or back if negative. */
  step(by: number): void
  /** Takes more or other photos, or fresh addresses of the same. At least one. */
  take(photos: readonly ViewedPhoto[]): void
  /** Loads the photo that is shown again, if it did not load. */
  retry(): void
  markFace(isMarked: boolean): void
  destroy(): void
}

/** The size assumed for a photo of unknown size. The photo is never distorted. */
const UNKNOWN_SIZE = { width: 2000, height: 1500 }
/** Pixels that the bars cover. */
const BARS = { top: 60, bottom: 76, left: 0, right: 0 }

const OPTIONS = {
  loop: false,
  preload: [1, 1] as [number, number],
  padding: BARS,
  bgOpacity: 1,
  // It opens at once, so that it can also be closed at once. A photo that is dragged away fades.
  showHideAnimationType: 'fade' as const,
  showAnimationDuration: 0,
  hideAnimationDuration: 200,
  secondaryZoomLevel: ({ fit }: { fit: number }) => fit * 2.5,
  maxZoomLevel: ({ fit }: { fit: number }) => Math.max(1, fit * 4),
  wheelToZoom: true,
  imageClickAction: 'zoom' as const,
  errorMsg: '',
  // The dialog around it has its own ways to close, and its own controls.
  escKey: false,
  trapFocus: false,
  returnFocus: false,
  close: false,
  zoom: false,
  counter: false,
  arrowPrev: false,
  arrowNext: false,
  preloader: false,
}

/** A stage by PhotoSwipe. */
export function createStage({ host, first, onChange, onTap, onClose, ...options }: StageOptions): Stage {
  let photos = options.photos
  let isOver = false
  const mark = createFaceMark()
  let pswp: PhotoSwipe
  open(first)

  function open(index: number): void {
    const opened = new PhotoSwipe({ ...OPTIONS, appendToEl: host, index, tapAction: () => onTap() })
    pswp = opened
    opened.addFilter('numItems', () => photos.length)
    opened.addFilter('itemData', (_, at) => slideOf(photos[at]!))
    opened.addFilter('placeholderSrc', (_, { data }) => data.msrc ?? false)
    opened.on('keydown', (event) => {
      const { key } = event.originalEvent
      if (key === 'Home') opened.goTo(0)
      else if (key === 'End') opened.goTo(photos.length - 1)
      // PhotoSwipe would move the focus at the first Tab.
      else if (key !== 'Tab') return
      event.preventDefault()
    })
    opened.on('contentActivate', (event) => {
      // PhotoSwipe would load it again, and never show it.
      if (event.content.isError()) event.preventDefault()
    })
    opened.on('change', () => {
      if (hasFailed(opened)) retry()
      else report()
    })
    opened.on('loadComplete', report)
    opened.on('imageSizeChange', ({ content, slide }) => {
      mark.place(opened, photos)
      sharpen(content, slide, photos[content.index]!)
    })
    opened.on('destroy', () => {
      if (opened === pswp && !isOver) onClose()
    })
    opened.init()
    describeParts(opened)
  }

  function report() {
    mark.place(pswp, photos)
    onChange(pswp.currIndex, stateOf(pswp))
  }

  function retry() {
    if (hasFailed(pswp)) pswp.refreshSlideContent(pswp.currIndex)
  }

  return {
    step: (by) => pswp.goTo(pswp.currIndex + by),
    take(fresh) {
      const former = photos
      const { currIndex } = pswp
      photos = fresh
      const shown = former[currIndex]!
      if (!startsWith(fresh, former)) {
        const place = fresh.findIndex((photo) => pathOf(photo) === pathOf(shown))
        const replaced = pswp
        open(place === -1 ? Math.min(currIndex, fresh.length - 1) : place)
        replaced.destroy()
      } else {
        const isLast = currIndex === former.length - 1
        if (isLast && fresh.length > former.length) pswp.refreshSlideContent(former.length)
        if (fresh[currIndex]!.previewUrl !== shown.previewUrl) retry()
      }
    },
    retry,
    markFace(isMarked) {
      mark.isWanted = isMarked
      mark.place(pswp, photos)
    },
    destroy() {
      isOver = true
      pswp.destroy()
    },
  }
}

function slideOf({ previewUrl, thumbUrl, filename, width, height }: ViewedPhoto): SlideData {
  const size = width && height ? { width, height } : UNKNOWN_SIZE
  return { src: previewUrl, msrc: thumbUrl, alt: filename, ...size }
}

/** Whether a list begins with all photos of another one. */
function startsWith(list: readonly ViewedPhoto[], start: readonly ViewedPhoto[]): boolean {
  return start.every((photo, at) => list[at] && pathOf(list[at]) === pathOf(photo))
}

const hasFailed = ({ currSlide }: PhotoSwipe) => currSlide?.content.isError() ?? false

function stateOf(pswp: PhotoSwipe): PictureState {
  if (hasFailed(pswp)) return 'failed'
  return pswp.currSlide?.content.state === 'loaded' ? 'shown' : 'loading'
}

/** PhotoSwipe describes itself as a dialog. Here it is a part of one. */
function describeParts({ element, scrollWrap }: PhotoSwipe): void {
  element!.setAttribute('role', 'presentation')
  element!.removeAttribute('tabindex')
  scrollWrap!.setAttribute('role', 'group')
  scrollWrap!.setAttribute('aria-label', texts.photos)
}

/** How much larger than the face its mark is. */
const LARGER = 1.5

interface FaceMark {
  isWanted: boolean
  /** Puts the mark around the face on the photo that is shown, or takes it away. */
  place(pswp: PhotoSwipe, photos: readonly ViewedPhoto[]): void
}

/** The corners around the visitor's face. They move with the photo. */
function createFaceMark(): FaceMark {
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

type Slide = NonNullable<PhotoSwipe['currSlide']>
type Content = Slide['content']

const sharpened = new WeakSet<Content>()

/** Loads a photo at full size when it is enlarged beyond the pixels of its preview, and shows it once it is complete. If
 *  it does not come, the preview stays, and the next enlargement tries again. */
function sharpen(content: Content, slide: Slide, photo: { url: string; width: number }): void {
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
