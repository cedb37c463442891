import { useEffect } from 'react'

const SITE = 'Inframe'

/** Names the page in the tab while it is open. A hidden page is also marked as not to be indexed, and the
 *  mark is taken back on leaving (§2). */
export function usePageHead(title: string, options: { hidden?: boolean } = {}): void {
  const { hidden = false } = options

  useEffect(() => {
    document.title = title === SITE ? SITE : `${title} · ${SITE}`
    return () => {
      document.title = SITE
    }
  }, [title])

  useEffect(() => {
    if (!hidden) return
    const mark = document.createElement('meta')
    mark.name = 'robots'
    mark.content = 'noindex, nofollow'
    document.head.append(mark)
    return () => mark.remove()
  }, [hidden])
}
