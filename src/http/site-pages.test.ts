import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FIRST_VIEWS, MISSING_PAGE, SITE_PAGES, TROUBLE_PAGE } from './site-pages.ts'
import { readWebBuild } from './web-build.ts'

test('each file that a page names as its code is one that the web app loads on demand', async () => {
  const build = await readWebBuild(join(import.meta.dirname, '../../web/dist'))
  const pages = [...SITE_PAGES.map(([, page]) => page), MISSING_PAGE, TROUBLE_PAGE]
  const named = [...pages.flatMap(({ modules }) => modules), ...Object.values(FIRST_VIEWS).flat()]
  const known = Object.keys(build!.scripts)
  expect(named.filter((module) => !known.includes(module))).toEqual([])
})
