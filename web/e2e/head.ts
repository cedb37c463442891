import type { Page } from 'playwright-core'

export interface PageHead {
  title: string
  /** The page's instruction for search engines; null when it has none. */
  robots: string | null
}

export function headOf(page: Page): Promise<PageHead> {
  return page.evaluate(() => ({
    title: document.title,
    robots: document.querySelector<HTMLMetaElement>('meta[name=robots]')?.content ?? null,
  }))
}

export const HIDDEN = 'noindex, nofollow'
