import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pageTitles } from '../texts/english/common.ts'
import { NOT_FOUND_PAGE, PAGES, SITE_NAME, tabTitle } from './pages.ts'

test('each file of a page is in the table once', () => {
  const named = [...Object.values(PAGES), NOT_FOUND_PAGE].map((page) => page.module)
  expect(named.sort()).toEqual(readdirSync(join(import.meta.dirname, '../../web/pages')).sort())
})

test("a tab names the page and the product, and the landing page's tab the product alone", () => {
  expect(tabTitle(pageTitles.albums)).toBe('Browse Photo Albums · Inframe')
  expect(tabTitle(SITE_NAME)).toBe('Inframe')
})
