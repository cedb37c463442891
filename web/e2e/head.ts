import type { Page } from 'playwright-core'

export interface PageHead {
  title: string
  /** What the page tells search engines; null: nothing. */
  robots: string | null
}

export function headOf(page: Page): Promise<PageHead> {
  return page.evaluate(() => ({
    title: document.title,
    robots: document.querySelector<HTMLMetaElement>('meta[name=robots]')?.content ?? null,
  }))
}

export const HIDDEN = 'noindex, nofollow'
