import { type RefObject, useEffect, useRef, useState } from 'react'
import type { ResultPhoto } from '../../../../src/contract/submissions.ts'
import { afterFirstPicture } from '../first-picture.ts'
import { pathOf } from '../photo-path.ts'
import { useOpenPhoto } from './use-open-photo.ts'

type ViewerModule = typeof import('./photo-viewer.tsx')

export interface ViewerControl {
  /** Undefined until its code has been loaded. */
  Viewer: ViewerModule['PhotoViewer'] | undefined
  /** The path of the photo that was opened; undefined while the viewer is closed. */
  opened: string | undefined
  /** The place of the photo that the viewer showed last. */
  seen: number | undefined
  /** Says that the viewer shows this photo. */
  see(index: number): void
  open(photo: ResultPhoto): void
  close(): void
}

const loadViewer = async () => (await import('./photo-viewer.tsx')).PhotoViewer

/** The viewer over a grid of photos. Its code is loaded when there are photos. The grid below follows the viewer: it
 *  scrolls to the photo that the viewer shows, and that photo has the focus afterwards.
 *  @param list its items have aria-posinset
 *  @param keptGrid see useOpenPhoto */
export function useViewer(list: RefObject<HTMLElement | null>, keptGrid?: number): ViewerControl {
  const [Viewer, setViewer] = useState<ViewerModule['PhotoViewer']>()
  const { photo: opened, open, close } = useOpenPhoto(keptGrid)
  const [seen, see] = useState<number>()
  const tile = useRef<Element>(undefined)

  const isOpen = opened !== undefined
  useEffect(() => {
    const load = () =>
      void loadViewer().then(
        (loaded) => setViewer(() => loaded),
        () => {},
      )
    if (!isOpen) return afterFirstPicture(load)
    load()
  }, [isOpen])

  useEffect(() => {
    if (seen === undefined) return
    tile.current = list.current!.querySelector(`[aria-posinset="${seen + 1}"]`) ?? undefined
    tile.current?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  }, [list, seen])

  useEffect(() => {
    if (isOpen) return () => tile.current?.querySelector('a')?.focus({ preventScroll: true })
  }, [isOpen])

  return {
    Viewer,
    opened,
    seen,
    see,
    open(photo) {
      loadViewer().then(
        (loaded) => {
          setViewer(() => loaded)
          open(pathOf(photo))
        },
        // Without the viewer's code, the photo opens as its link says.
        () => window.open(photo.url, '_blank', 'noopener'),
      )
    },
    close,
  }
}
