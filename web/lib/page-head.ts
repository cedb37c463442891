import { useEffect } from 'react'
import { PAGES, SITE_NAME, tabTitle } from '../../src/contract/pages.ts'

/** Names the page in the tab while it is open. A hidden page is also marked as not to be indexed. The mark
 *  is removed on leaving (§2).
 *  @param page null for that of an unknown address, which is hidden as well */
export function usePageHead(page: keyof typeof PAGES | null, title: string): void {
  const hidden = page === null || 'hidden' in PAGES[page]
  useEffect(() => {
    document.title = tabTitle(title)
    const mark = document.createElement('meta')
    mark.name = 'robots'
    mark.content = 'noindex, nofollow'
    if (hidden) document.head.append(mark)
    return () => {
      document.title = SITE_NAME
      mark.remove()
    }
  }, [hidden, title])
}
