import { expect, test } from 'vitest'
import { PAGES, type RoutedPage } from '../src/contract/pages.ts'
import { router } from './router.tsx'

test('the code for calls is loaded for the pages that make calls, and for no other', () => {
  const routes = Object.values(router.routesById).filter(({ id }) => id !== '/data')
  const below = (parent: string) =>
    routes.filter(({ parentRoute }) => parentRoute?.id === parent).map(({ fullPath }) => fullPath)
  const pages: RoutedPage[] = Object.values(PAGES)
  const paths = (usesCalls: boolean) =>
    pages.filter((page) => Boolean(page.usesCalls) === usesCalls).map(({ path }) => path)
  expect(below('/data').sort()).toEqual(paths(true).sort())
  expect(below('__root__').sort()).toEqual(paths(false).sort())
})
