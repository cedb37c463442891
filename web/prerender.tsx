/** Draws pages as HTML while the web app is built, so that a browser shows them before any script is loaded. */
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { router } from './router.tsx'
import { SiteFrame } from './site-frame.tsx'

/** The HTML of a page that is the same for everybody. */
export async function drawPage(path: string): Promise<string> {
  // Without a browser, the router would write a script into the page to restore the scroll position. The content
  // policy forbids such scripts.
  router.update({ history: createMemoryHistory({ initialEntries: [path] }), scrollRestoration: false })
  await router.load()
  return renderToString(<RouterProvider router={router} />)
}

/** The HTML of the frame around every page, without content. */
export async function drawFrame(): Promise<string> {
  const root = createRootRoute({ component: SiteFrame, notFoundComponent: () => null })
  const history = createMemoryHistory({ initialEntries: ['/any'] })
  const router = createRouter({ routeTree: root, history })
  await router.load()
  return renderToString(<RouterProvider router={router} />)
}
