import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'

/** What the browser's history says about a photo that is open in the viewer. */
export interface OpenPhoto {
  /** The grid over which it is open. After a reload the page has another one, so nothing is open. */
  grid: number
  photo: string
  /** The history's key of the page, for the place that it was scrolled to. */
  page: string | undefined
}

export interface OpenPhotoControl {
  /** The photo that was opened; undefined while the viewer is closed. */
  photo: string | undefined
  open(photo: string): void
  close(): void
}

/** Opens a photo over a grid as an entry of the browser's history, so that Back closes it.
 *  A photo is named by its path, which stays the same when addresses are renewed.
 *  @param keptGrid the id of a grid that was on the page before, whose photo may still be open */
export function useOpenPhoto(keptGrid?: number): OpenPhotoControl {
  const router = useRouter()
  const { history } = router
  const [grid] = useState(() => keptGrid ?? Math.random())
  const photo = useSyncExternalStore(history.subscribe, () => {
    const { openPhoto } = history.location.state
    return openPhoto?.grid === grid ? openPhoto.photo : undefined
  })
  // A second Back would leave the page.
  const isLeaving = useRef(false)
  useEffect(() => {
    isLeaving.current = photo === undefined
  }, [photo])

  return {
    photo,
    open(opened) {
      const page = history.location.state.__TSR_key
      void router.navigate({
        to: '.',
        search: true,
        hash: true,
        state: { openPhoto: { grid, photo: opened, page } },
        resetScroll: false,
      })
    },
    close() {
      if (isLeaving.current) return
      isLeaving.current = true
      history.back()
    },
  }
}
