import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NOT_FOUND_PAGE, PAGES, tabTitle } from './pages.ts'

test('each file of a page is in the table once', () => {
  const named = [...Object.values(PAGES), NOT_FOUND_PAGE].map((page) => page.module)
  expect(named.sort()).toEqual(readdirSync(join(import.meta.dirname, '../../web/pages')).sort())
})

test("a tab names the page and the product, and the landing page's tab the product alone", () => {
  expect(tabTitle(PAGES.albums.title)).toBe('Browse Photo Albums · Inframe')
  expect(tabTitle(PAGES.landing.title)).toBe('Inframe')
})
