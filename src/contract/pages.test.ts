import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pageTitles } from '../texts/english/page-titles.ts'
import { PAGES, SITE_NAME, tabTitle } from './pages.ts'

test('each page of the table has a file of its name, and each file is in the table', () => {
  const named = [...Object.keys(PAGES), 'notFound'].map(
    (name) => `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.tsx`,
  )
  expect(named.sort()).toEqual(readdirSync(join(import.meta.dirname, '../../web/pages')).sort())
})

test("a tab names the page and the product, and the landing page's tab the product alone", () => {
  expect(tabTitle(pageTitles.albums)).toBe('Browse Photo Albums · Inframe')
  expect(tabTitle(SITE_NAME)).toBe('Inframe')
})
