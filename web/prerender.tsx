/** Draws pages as HTML while the web app is built, so that a browser paints them before any script is there. */
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { router } from './router.tsx'
import { SiteFrame } from './site-frame.tsx'

/** A page that is the same for everybody. */
export async function drawPage(path: string): Promise<string> {
  // Without a browser, restoring the scroll position would write a script into the page, which its content
  // policy forbids.
  router.update({ history: createMemoryHistory({ initialEntries: [path] }), scrollRestoration: false })
  await router.load()
  return renderToString(<RouterProvider router={router} />)
}

/** What stands around every page, with nothing in it yet. */
export async function drawFrame(): Promise<string> {
  const root = createRootRoute({ component: SiteFrame, notFoundComponent: () => null })
  const history = createMemoryHistory({ initialEntries: ['/any'] })
  const router = createRouter({ routeTree: root, history })
  await router.load()
  return renderToString(<RouterProvider router={router} />)
}
