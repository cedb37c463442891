import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PAGES } from '../src/contract/pages.ts'
import type { PhotoFilter } from './features/desk/photos/use-owner-photos.ts'
import type { OpenPhoto } from './features/photos/viewer/use-viewer.ts'
import { lazyPart } from './lib/lazy-part.ts'
import type { ErasedAlbum } from './pages/erased.tsx'
import { SiteFrame } from './site-frame.tsx'
import { PageTrouble } from './ui/page-trouble.tsx'

const MODULES = import.meta.glob<{ default: () => ReactNode }>('./pages/*.tsx')

/** The code of a page, loaded on demand: that of `privacyPolicy` is in privacy-policy.tsx. */
const codeOf = (name: string) =>
  lazyPart(MODULES[`./pages/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.tsx`]!)

/** The path and the component of a page's route. */
const page = <const Name extends keyof typeof PAGES>(name: Name) => ({
  path: PAGES[name].path as (typeof PAGES)[Name]['path'],
  component: codeOf(name),
  staticData: { page: name as keyof typeof PAGES },
})

const root = createRootRoute({ component: SiteFrame, notFoundComponent: codeOf('notFound') })

/** The pages below it call the service. */
const data = createRoute({
  getParentRoute: () => root,
  id: 'data',
  component: lazyPart(() => import('./data-layer.tsx')),
})

const light = <const Name extends keyof typeof PAGES>(name: Name) =>
  createRoute({ getParentRoute: () => root, ...page(name) })
const calling = <const Name extends keyof typeof PAGES>(name: Name) =>
  createRoute({ getParentRoute: () => data, ...page(name) })

const bulkUpload = createRoute({
  getParentRoute: () => data,
  ...page('bulkUpload'),
  // The album in hand, unless the address names another one of this browser. A name such as 2025 is read as a number.
  validateSearch: ({ album }): { album?: string } => (album === undefined ? {} : { album: String(album) }),
})

const album = createRoute({
  getParentRoute: () => data,
  ...page('album'),
  // All photos instead of the selfie search. Both are one page, so that what a search has found stays.
  // The owner may look at it as a guest, and then goes on so from link to link.
  validateSearch: ({ photos, as }): { photos?: 'all'; as?: 'guest' | undefined } => ({
    ...(photos === 'all' && { photos }),
    ...(as === 'guest' && { as }),
  }),
  search: { middlewares: [({ search, next }) => ({ as: search.as, ...next(search) })] },
})

const manage = createRoute({
  getParentRoute: () => data,
  ...page('manage'),
  // Which photos the section of photos shows.
  validateSearch: ({ which, camera, hour }): PhotoFilter => ({
    ...(which !== undefined && { which: String(which) as PhotoFilter['which'] }),
    ...(camera !== undefined && { camera: String(camera) }),
    ...(hour !== undefined && { hour: String(hour) }),
  }),
})

export const router = createRouter({
  routeTree: root.addChildren([
    light('landing'),
    light('privacyPolicy'),
    light('termsOfService'),
    light('photoTrouble'),
    data.addChildren([
      bulkUpload,
      album,
      manage,
      calling('getStarted'),
      calling('uploadSuccess'),
      calling('albums'),
      calling('selfie'),
      calling('selfieResults'),
      calling('selfieNoResults'),
      calling('addDevice'),
      calling('erased'),
      calling('stopLetters'),
      calling('letterAddress'),
      calling('optOut'),
      calling('photoLetters'),
      calling('oauthHelper'),
      calling('gmailOauth'),
    ]),
  ]),
  defaultErrorComponent: PageTrouble,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // While the viewer is open, the page below keeps its scroll position.
  getScrollRestorationKey: ({ state, href }) => state.openPhoto?.page ?? state.__TSR_key ?? href,
  scrollRestorationBehavior: 'instant',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    /** Missing for what surrounds pages. */
    page?: keyof typeof PAGES
  }
  interface HistoryState {
    /** The page that led to /get-started, because no album has been created in this browser. */
    cameFrom?: 'bulk-upload' | 'selfie'
    /** The album that was created before /bulk-upload was opened: another one may be in hand after a reload. */
    album?: string
    /** The album whose receipt /erased shows. */
    erased?: ErasedAlbum
    /** The photo that is open in the viewer over a grid. */
    openPhoto?: OpenPhoto
  }
}
