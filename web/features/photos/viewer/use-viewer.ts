import { useRouter } from '@tanstack/react-router'
import { type RefObject, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { addressOf, type ViewedPhoto } from '../photo-path.ts'

let viewer: typeof import('./photo-viewer.tsx') | undefined

/** Loads the code of the viewer. */
export async function loadViewer(): Promise<void> {
  viewer ??= await import('./photo-viewer.tsx')
}

/** What the browser's history says about a photo that is open in the viewer: so Back closes it. */
export interface OpenPhoto {
  /** The grid over which it is open. After a reload the page has another one, so nothing is open. */
  grid: number
  /** The history's key of the page, for the place that it was scrolled to. */
  page: string | undefined
}

/** The viewer over a grid of photos. The grid below follows the viewer: it scrolls to the photo that the viewer shows, and
 *  that photo has the focus afterwards.
 *  @param list its items have aria-posinset */
export function useViewer(list: RefObject<HTMLElement | null>) {
  const router = useRouter()
  const { history } = router
  const [grid] = useState(Math.random)
  const [seen, see] = useState<number>()
  // A second Back would leave the page.
  const isLeaving = useRef(false)
  const isOpen = useSyncExternalStore(
    history.subscribe,
    () => history.location.state.openPhoto?.grid === grid,
  )

  useEffect(() => {
    isLeaving.current = !isOpen
    if (!isOpen || seen === undefined) return
    const tile = list.current!.querySelector(`[aria-posinset="${seen + 1}"]`)
    tile?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
    // While the viewer is open, nothing below it takes the focus.
    return () => tile?.querySelector('a')?.focus({ preventScroll: true })
  }, [list, isOpen, seen])

  const open = useCallback(
    async (photo: ViewedPhoto, index: number) => {
      await loadViewer().catch(console.warn)
      // Without the viewer's code, the photo opens as its link says.
      if (!viewer) return void window.open(addressOf(photo, 'full'), '_blank', 'noopener')
      see(index)
      const openPhoto = { grid, page: router.history.location.state.__TSR_key }
      void router.navigate({ to: '.', search: true, hash: true, state: { openPhoto }, resetScroll: false })
    },
    [router, grid],
  )

  return {
    /** Undefined while the viewer is closed. */
    Viewer: isOpen ? viewer?.PhotoViewer : undefined,
    /** The place of the photo that the viewer shows, or showed last. */
    seen,
    /** Says that the viewer shows this photo. */
    see,
    open,
    close() {
      if (!isLeaving.current) history.back()
      isLeaving.current = true
    },
  }
}
