import { useEffect, useLayoutEffect } from 'react'
import { PAGES, SITE_NAME, tabTitle } from '../../src/contract/pages.ts'
import { pageTitles } from '../../src/texts/english/page-titles.ts'

const TITLES = { landing: SITE_NAME, ...pageTitles }

/** Names the open page in the tab. A hidden page is also marked as not to be indexed, until the visitor leaves it (§2).
 *  @param page missing for an unknown address, which is hidden as well */
export function usePageHead(page?: keyof typeof PAGES): void {
  const hidden = page === undefined || 'hidden' in PAGES[page]
  // Before the effects of a page that knows a better name.
  useLayoutEffect(() => {
    document.title = tabTitle(TITLES[page ?? 'notFound'])
    const mark = document.createElement('meta')
    mark.name = 'robots'
    mark.content = 'noindex, nofollow'
    if (hidden) document.head.append(mark)
    return () => mark.remove()
  }, [hidden, page])
}

/** Names a page by what it shows. */
export function useTabTitle(title: string): void {
  useEffect(() => {
    document.title = tabTitle(title)
  }, [title])
}
