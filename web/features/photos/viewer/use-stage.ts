import PhotoSwipe from 'photoswipe'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { viewer as texts } from '../../../../src/texts/english/photos.ts'
import { useTryAgain } from '../../../lib/use-try-again.ts'
import { addressOf, pathOf, type ViewedPhoto } from '../photo-path.ts'
import type { PhotoViewerProps } from './photo-viewer.tsx'
import { placeFaceMark, sharpen } from './slide.ts'
import 'photoswipe/style.css'

/** It is closed by dragging the photo away. */
export type StageUse = Omit<PhotoViewerProps, 'total'> & { isFaceMarked: boolean; onTap: () => void }

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
  errorMsg: '',
  // The dialog around it has its own ways to close, and its own controls.
  ...{ escKey: false, trapFocus: false, returnFocus: false, close: false, zoom: false, counter: false },
  ...{ arrowPrev: false, arrowNext: false, preloader: false },
}

/** Shows one photo of many by PhotoSwipe, which is moved and zoomed by touch, mouse and keyboard. The photos may change, or
 *  get fresh addresses. One that fails is tried again after a while, and as soon as the browser is online again. */
export function useStage(use: StageUse) {
  const { photos, issued, isFaceMarked } = use
  const host = useRef<HTMLDivElement>(null)
  const stage = useRef<PhotoSwipe>(undefined)
  const former = useRef(photos)
  /** `state`: in PhotoSwipe's words. `failures`: of the photo that is shown, in a row. */
  const [shown, setShown] = useState({ index: use.first, state: 'idle', failures: 0 })
  const now = useEffectEvent(() => use)

  const mark = useEffectEvent(() => {
    const { currIndex } = stage.current!
    placeFaceMark(stage.current!, isFaceMarked ? photos[currIndex]?.face : undefined)
  })
  /** @param failed 1 when the photo that is shown has just failed */
  const report = useEffectEvent((failed = 0) => {
    const { currIndex: index, currSlide } = stage.current!
    const state = currSlide?.content.state ?? 'idle'
    mark()
    setShown((before) => {
      const failures = index === before.index && state !== 'loaded' ? before.failures : 0
      return { index, state, failures: failures + failed }
    })
    if (failed > 0 && shown.failures === 0) use.onFail?.()
    use.onShow(index)
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
      // A photo may come after the stage has been closed.
      if (opened === stage.current) report(isError && content.index === opened.currIndex ? 1 : 0)
    })
    opened.on('imageSizeChange', ({ content, slide }) => {
      mark()
      sharpen(content, slide, now().photos[content.index]!)
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
    const isCurrent = (photo?: ViewedPhoto) => photo && pathOf(photo) === pathOf(before[at]!)
    if (!isCurrent(photos[at])) {
      const place = photos.findIndex(isCurrent)
      begin(place === -1 ? Math.min(at, photos.length - 1) : place)
      return present.destroy()
    }
    for (const beside of [at - 1, at + 1])
      if (photos[beside]?.thumbUrl !== before[beside]?.thumbUrl) present.refreshSlideContent(beside)
    // With a fresh address it may load. It may look like the former one.
    retry()
    mark()
  })

  useLayoutEffect(() => {
    begin(now().first)
    return () => {
      const ended = stage.current
      stage.current = undefined
      ended?.destroy()
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: of what has changed, the stage is told.
  useEffect(() => update(), [photos, issued, isFaceMarked])
  useTryAgain(shown.state === 'error' ? shown.failures : 0, retry)

  return { host, ...shown, retry, step: (by: number) => stage.current!.goTo(stage.current!.currIndex + by) }
}

const hasFailed = (stage?: PhotoSwipe) => stage?.currSlide?.content.isError() ?? false
