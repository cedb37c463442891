import { useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { ResultPhoto } from '../../../../src/contract/submissions.ts'
import { afterFirstPicture } from '../first-picture.ts'
import { pathOf } from '../photo-path.ts'

type ViewerModule = typeof import('./photo-viewer.tsx')

/** What the browser's history says about a photo that is open in the viewer: so Back closes it. */
export interface OpenPhoto {
  /** The grid over which it is open. After a reload the page has another one, so nothing is open. */
  grid: number
  /** Its path, which stays the same when addresses are renewed. */
  photo: string
  /** The history's key of the page, for the place that it was scrolled to. */
  page: string | undefined
}

/** The viewer over a grid of photos. Its code is loaded when there are photos. The grid below follows the viewer: it
 *  scrolls to the photo that the viewer shows, and that photo has the focus afterwards.
 *  @param list its items have aria-posinset */
export function useViewer(list: RefObject<HTMLElement | null>) {
  const router = useRouter()
  const { history } = router
  const [grid] = useState(Math.random)
  const [Viewer, setViewer] = useState<ViewerModule['PhotoViewer']>()
  const [seen, see] = useState<number>()
  const tile = useRef<Element>(undefined)
  // A second Back would leave the page.
  const isLeaving = useRef(false)
  const opened = useSyncExternalStore(history.subscribe, () => {
    const { openPhoto } = history.location.state
    return openPhoto?.grid === grid ? openPhoto.photo : undefined
  })
  const isOpen = opened !== undefined

  useEffect(() => {
    isLeaving.current = !isOpen
    const load = () => void loadViewer().then((loaded) => setViewer(() => loaded), console.warn)
    if (!isOpen) return afterFirstPicture(load)
    load()
    return () => tile.current?.querySelector('a')?.focus({ preventScroll: true })
  }, [isOpen])

  useEffect(() => {
    if (seen === undefined) return
    tile.current = list.current!.querySelector(`[aria-posinset="${seen + 1}"]`) ?? undefined
    tile.current?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  }, [list, seen])

  async function open(photo: ResultPhoto): Promise<void> {
    const loaded = await loadViewer().catch(() => undefined)
    // Without the viewer's code, the photo opens as its link says.
    if (!loaded) return void window.open(photo.url, '_blank', 'noopener')
    setViewer(() => loaded)
    const page = history.location.state.__TSR_key
    const openPhoto = { grid, photo: pathOf(photo), page }
    void router.navigate({ to: '.', search: true, hash: true, state: { openPhoto }, resetScroll: false })
  }

  return {
    /** Undefined until its code has been loaded. */
    Viewer,
    /** The path of the photo that was opened; undefined while the viewer is closed. */
    opened,
    /** The place of the photo that the viewer showed last. */
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

const loadViewer = async () => (await import('./photo-viewer.tsx')).PhotoViewer
