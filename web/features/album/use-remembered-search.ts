import { useEffect, useEffectEvent } from 'react'
import { toast } from '../../ui/toast-store.ts'
import type { AlbumSearch } from './use-album-search.ts'
import type { RememberedVisitor } from './use-remembered.ts'

/** Shows a remembered visitor their photos at once, and keeps what a search says should be kept.
 *  @param startsAtOnce false when the visitor has chosen a selfie before */
export function useRememberedSearch(
  remembered: RememberedVisitor,
  search: AlbumSearch,
  { startsAtOnce }: { startsAtOnce: boolean },
): { forgetMe(): void } {
  const start = useEffectEvent(() => {
    if (remembered.kept && startsAtOnce) search.startByTicket(remembered.kept.ticket)
  })
  useEffect(() => start(), [])

  const toKeep = search.found?.remembered
  const keep = useEffectEvent(() => {
    if (!toKeep || remembered.keep(toKeep)) return
    search.stopRemembering()
    toast({
      title: 'You could not be remembered',
      description: 'The settings of this browser do not allow pages to keep anything.',
      tone: 'error',
    })
  })
  useEffect(() => {
    if (toKeep) keep()
  }, [toKeep])

  return {
    forgetMe() {
      remembered.forget()
      // What a ticket has found goes with it.
      if (search.isByTicket) search.forget()
      else search.stopRemembering()
      toast({
        title: 'Forgotten',
        description: 'This browser keeps nothing of you any more.',
        tone: 'success',
      })
    },
  }
}
