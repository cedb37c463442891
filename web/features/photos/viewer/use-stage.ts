import PhotoSwipe from 'photoswipe'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { viewer as texts } from '../../../../src/texts/english/photos.ts'
import { useTryAgain } from '../../../lib/use-try-again.ts'
import { pathOf, type ViewedPhoto } from '../photo-path.ts'
import type { PhotoViewerProps } from './photo-viewer.tsx'
import { placeFaceMark, sharpen } from './slide.ts'
import 'photoswipe/style.css'

/** It is closed by dragging the photo away. */
export type StageUse = Omit<PhotoViewerProps, 'total'> & { isFaceMarked: boolean; onTap: () => void }

/** The size assumed for a photo of unknown size. The photo is never distorted. */
const UNKNOWN_SIZE = { width: 2000, height: 1500 }

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
  /** `state`: in PhotoSwipe's words. `failures`: of the photo that is shown, in a row. */
  const [shown, setShown] = useState({ index: use.first, state: 'idle', failures: 0 })
  /** What the stage has, and what it said last. Two changes can come before the page is drawn again. */
  const last = useRef({ photos, issued, ...shown })

  const mark = useEffectEvent(() => {
    const { currIndex } = stage.current!
    placeFaceMark(stage.current!, isFaceMarked ? last.current.photos[currIndex]?.face : undefined)
  })
  const report = useEffectEvent(() => {
    const { currIndex: index, currSlide } = stage.current!
    const state = currSlide?.content.state ?? 'idle'
    mark()
    const former = last.current
    let failures = index !== former.index || state === 'loaded' ? 0 : former.failures
    if (state === 'error' && former.state !== 'error' && ++failures === 1) use.onFail?.()
    Object.assign(former, { index, state, failures })
    setShown({ index, state, failures })
    use.onShow(index)
  })
  const tap = useEffectEvent(() => use.onTap())
  const close = useEffectEvent(() => use.onClose())

  const begin = useEffectEvent((index = use.first) => {
    const opened = new PhotoSwipe({ ...OPTIONS, appendToEl: host.current!, index, tapAction: () => tap() })
    stage.current = opened
    opened.addFilter('numItems', () => last.current.photos.length)
    opened.addFilter('itemData', (_, at) => {
      const { previewUrl: src, thumbUrl: msrc, filename: alt, width, height } = last.current.photos[at]!
      return { src, msrc, alt, ...(width && height ? { width, height } : UNKNOWN_SIZE) }
    })
    opened.addFilter('placeholderSrc', (_, { data }) => data.msrc ?? false)
    opened.on('keydown', (event) => {
      const { key } = event.originalEvent
      if (key === 'Home') opened.goTo(0)
      else if (key === 'End') opened.goTo(last.current.photos.length - 1)
      // PhotoSwipe would move the focus at the first Tab.
      else if (key !== 'Tab') return
      event.preventDefault()
    })
    opened.on('contentActivate', (event) => {
      // PhotoSwipe would load it again, and never show it.
      if (event.content.isError()) event.preventDefault()
    })
    opened.on('change', () => (hasFailed(opened) ? retry() : report()))
    opened.on('loadComplete', () => report())
    opened.on('imageSizeChange', ({ content, slide }) => {
      mark()
      sharpen(content, slide, last.current.photos[content.index]!)
    })
    opened.on('destroy', () => {
      if (opened === stage.current) close()
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
  function take(former: readonly ViewedPhoto[]): void {
    const present = stage.current!
    const { currIndex } = present
    const current = former[currIndex]!
    if (former.every((photo, at) => photos[at] && pathOf(photos[at]) === pathOf(photo))) {
      const isLast = currIndex === former.length - 1
      if (isLast && photos.length > former.length) present.refreshSlideContent(former.length)
      if (photos[currIndex]!.previewUrl !== current.previewUrl) retry()
    } else {
      const place = photos.findIndex((photo) => pathOf(photo) === pathOf(current))
      begin(place === -1 ? Math.min(currIndex, photos.length - 1) : place)
      present.destroy()
    }
  }
  const update = useEffectEvent(() => {
    const former = last.current
    last.current = { ...former, photos, issued }
    if (photos !== former.photos) take(former.photos)
    // Fresh addresses may look like the former ones.
    if (issued !== former.issued) retry()
    mark()
  })

  useLayoutEffect(() => {
    begin()
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
