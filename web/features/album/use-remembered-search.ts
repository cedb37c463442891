import { useEffect, useEffectEvent, useRef } from 'react'
import { albumSearch as texts } from '../../../src/texts/english/search.ts'
import { toast } from '../../ui/toast-store.ts'
import type { AlbumSearch } from './album-search-types.ts'
import type { RememberedVisitor } from './use-remembered.ts'

/** Shows a remembered visitor their photos at once, and keeps what a search says should be kept.
 *  @param startsAtOnce false when the visitor has chosen a selfie before */
export function useRememberedSearch(
  remembered: RememberedVisitor,
  search: AlbumSearch,
  { startsAtOnce }: { startsAtOnce: boolean },
): { forgetMe(): void } {
  // Effects run once more after the visitor has browsed all photos.
  const hasBegun = useRef(false)
  const start = useEffectEvent(() => {
    if (remembered.kept && startsAtOnce && !hasBegun.current)
      search.startRemembered(remembered.kept.searchToken)
    hasBegun.current = true
  })
  useEffect(() => start(), [])

  const toKeep = search.found?.remembered
  const keep = useEffectEvent(() => {
    if (!toKeep || remembered.keep(toKeep)) return
    search.stopRemembering()
    toast({
      title: texts.notRemembered,
      description: texts.notAllowed,
      tone: 'error',
    })
  })
  useEffect(() => {
    if (toKeep) keep()
  }, [toKeep])

  return {
    forgetMe() {
      remembered.forget()
      // Photos that were found by what was kept go away with it.
      if (search.isRemembered) search.forget()
      else search.stopRemembering()
      toast({
        title: texts.forgotten,
        description: texts.forgottenText,
        tone: 'success',
      })
    },
  }
}
