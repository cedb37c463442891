import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { AlbumSearch } from './album-search-types.ts'
import { type KeptSearch, keptOf } from './found.ts'
import { forgetKeptSearch, keepSearch, readKeptSearch } from './kept-search.ts'

/** Shows the results again that this tab showed before a reload, or before the visitor went to another page.
 *  @returns what this tab had kept when the page was opened, until it is shown or has ended */
export function useKeptSearch(albumName: string, search: AlbumSearch): KeptSearch | null {
  const [kept] = useState(() => (search.found ? null : readKeptSearch(albumName)))
  // Effects run once more after the visitor has browsed all photos.
  const hasBegun = useRef(false)
  const restore = useEffectEvent(() => {
    if (kept && !hasBegun.current) search.restore(kept)
    hasBegun.current = true
  })
  useEffect(() => restore(), [])

  const { found, over } = search
  useEffect(() => {
    const current = found && keptOf(found)
    if (current) keepSearch(albumName, current)
    else if (found) forgetKeptSearch(albumName)
  }, [albumName, found])
  const hasEnded = over !== undefined
  useEffect(() => {
    if (hasEnded) forgetKeptSearch(albumName)
  }, [albumName, hasEnded])

  return found || hasEnded ? null : kept
}
