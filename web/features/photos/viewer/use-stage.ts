import PhotoSwipe from 'photoswipe'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { viewer as texts } from '../../../../src/texts/english/photos.ts'
import { useTryAgain } from '../../../lib/use-try-again.ts'
import { addressOf, pathOf, type ViewedPhoto } from '../photo-path.ts'
import { checkLink } from '../use-photo-links.ts'
import type { PhotoViewerProps } from './photo-viewer.tsx'
import 'photoswipe/style.css'

type Slide = NonNullable<PhotoSwipe['currSlide']>

/** It is closed by dragging the photo away. */
export type StageUse = Omit<PhotoViewerProps, 'total' | 'about'> & {
  isFaceMarked: boolean
  onTap: () => void
}

const OPTIONS = {
  loop: false,
  preload: [1, 1] as [number, number],
  /** Pixels that the bars cover. */
  padding: { top: 60, bottom: 76, left: 0, right: 0 },
  bgOpacity: 1,
  // It opens at once, so that it can also be closed at once. A photo that is dragged away fades.
  showHideAnimationType: 'fade' as const,
  showAnimationDuration: 0,
  hideAnimationDuration: 200,
  secondaryZoomLevel: ({ fit }: { fit: number }) => fit * 2.5,
  maxZoomLevel: ({ fit }: { fit: number }) => Math.max(1, fit * 4),
  wheelToZoom: true,
  imageClickAction: 'zoom' as const,
  errorMsg: texts.notLoaded,
  // The dialog around it has its own ways to close, and its own controls.
  ...{ escKey: false, trapFocus: false, returnFocus: false, close: false, zoom: false, counter: false },
  ...{ arrowPrev: false, arrowNext: false, preloader: false },
}

/** Shows one photo of many by PhotoSwipe, which is moved and zoomed by touch, mouse and keyboard. The photos may change, or
 *  get fresh addresses. One that fails is tried again after a while, and as soon as the browser is online again. */
export function useStage(use: StageUse) {
  const { photos, isFaceMarked } = use
  const host = useRef<HTMLDivElement>(null)
  const stage = useRef<PhotoSwipe>(undefined)
  const former = useRef(photos)
  /** `state`: in PhotoSwipe's words. `failures`: of the photo that is shown, in a row. */
  const [shown, setShown] = useState({ state: 'idle', failures: 0 })
  const now = useEffectEvent(() => use)

  const mark = useEffectEvent(() => {
    const { currSlide, currIndex } = stage.current!
    placeFaceMark(currSlide, isFaceMarked ? photos[currIndex]?.face : undefined)
  })
  /** @param failed 1 when the photo that is shown has just failed */
  const report = useEffectEvent((failed = 0) => {
    const { currIndex, currSlide } = stage.current!
    const state = currSlide?.content.state ?? 'idle'
    mark()
    setShown(({ failures }) => {
      const isSame = currIndex === use.index && state !== 'loaded'
      return { state, failures: (isSame ? failures : 0) + failed }
    })
    use.onShow(currIndex)
  })
  const begin = useEffectEvent((index: number) => {
    const tapAction = () => now().onTap()
    const opened = new PhotoSwipe({ ...OPTIONS, appendToEl: host.current!, index, tapAction })
    stage.current = opened
    opened.addFilter('numItems', () => now().photos.length)
    opened.addFilter('itemData', (_, at) => {
      const photo = now().photos[at]!
      const { thumbUrl: msrc, filename: alt, width, height } = photo
      return { src: addressOf(photo, 'preview'), msrc, alt, width, height }
    })
    opened.addFilter('placeholderSrc', (_, { data }) => data.msrc ?? false)
    opened.addFilter('contentErrorElement', (said) => Object.assign(said, { role: 'alert' }))
    opened.on('keydown', (event) => {
      const { key } = event.originalEvent
      if (key === 'Home') opened.goTo(0)
      else if (key === 'End') opened.goTo(now().photos.length - 1)
      // PhotoSwipe would move the focus at the first Tab.
      else if (key !== 'Tab') return
      event.preventDefault()
    })
    opened.on('contentActivate', (event) => {
      // PhotoSwipe would load it again, and never show it.
      if (event.content.isError()) event.preventDefault()
    })
    opened.on('change', () => (hasFailed(opened) ? retry() : report()))
    opened.on('loadComplete', ({ content, isError }) => {
      if (isError) void checkLink(now().photos[content.index]!.thumbUrl)
      // A photo may come after the stage has been closed.
      if (opened === stage.current) report(isError && content.index === opened.currIndex ? 1 : 0)
    })
    opened.on('imageSizeChange', ({ slide }) => {
      mark()
      sharpen(slide, now().photos[slide.index]!)
    })
    opened.on('destroy', () => {
      if (opened === stage.current) now().onClose()
    })
    opened.init()
    // PhotoSwipe describes itself as a dialog. Here it is a part of one.
    opened.element!.setAttribute('role', 'presentation')
    opened.element!.removeAttribute('tabindex')
    opened.scrollWrap!.setAttribute('role', 'group')
    opened.scrollWrap!.setAttribute('aria-label', texts.photos)
  })
  function retry(): void {
    if (hasFailed(stage.current)) stage.current!.refreshSlideContent(stage.current!.currIndex)
  }
  const update = useEffectEvent(() => {
    const present = stage.current!
    const { currIndex: at } = present
    const before = former.current
    former.current = photos
    const place = photos.findIndex((photo) => pathOf(photo) === pathOf(before[at]!))
    if (place !== at) {
      begin(place === -1 ? Math.min(at, photos.length - 1) : place)
      return present.destroy()
    }
    for (const beside of [at - 1, at + 1])
      if (photos[beside]?.thumbUrl !== before[beside]?.thumbUrl) present.refreshSlideContent(beside)
    // With a fresh address it may load.
    retry()
    mark()
  })

  useLayoutEffect(() => {
    begin(now().index)
    return () => {
      const ended = stage.current
      stage.current = undefined
      ended?.destroy()
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: of what has changed, the stage is told.
  useEffect(() => update(), [photos, isFaceMarked])
  useTryAgain(shown.failures, retry)

  return {
    host,
    isLoading: shown.state !== 'loaded' && shown.state !== 'error',
    step: (by: number) => stage.current!.goTo(stage.current!.currIndex + by),
  }
}

const hasFailed = (stage?: PhotoSwipe) => stage?.currSlide?.content.isError() ?? false

/** How much larger than the face its mark is. */
const LARGER = 1.5
const faceMark = document.createElement('div')
faceMark.className =
  'viewfinder pointer-events-none absolute z-10 text-accent [filter:drop-shadow(0_0_2px_black)] [--corner:30%] [--stroke:2px]'

/** Puts corners around the visitor's face on the photo that is shown, or takes them away. They move with the photo. */
function placeFaceMark(slide: Slide | undefined, face: ViewedPhoto['face']): void {
  faceMark.remove()
  if (!face || !slide || slide.content.isError()) return
  const { displayedImageWidth: width, displayedImageHeight: height } = slide.content
  const { box } = face
  const more = (LARGER - 1) / 2
  faceMark.style.left = `${(box.left - box.width * more) * width}px`
  faceMark.style.top = `${(box.top - box.height * more) * height}px`
  faceMark.style.width = `${box.width * LARGER * width}px`
  faceMark.style.height = `${box.height * LARGER * height}px`
  slide.container.append(faceMark)
}

const sharpened = new WeakSet<Slide['content']>()

/** Loads a photo at full size when it is enlarged beyond the pixels of its preview, and shows it once it is complete. If
 *  it does not come, the preview stays, and the next enlargement tries again. */
function sharpen({ content, currZoomLevel, zoomLevels }: Slide, photo: ViewedPhoto): void {
  const image = content.element
  if (!(image instanceof HTMLImageElement) || image.naturalWidth === 0 || sharpened.has(content)) return
  const isEnlarged = currZoomLevel > zoomLevels.initial * 1.01
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
