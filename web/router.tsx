import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { NOT_FOUND_PAGE, PAGES } from '../src/contract/pages.ts'
import type { OpenPhoto } from './features/photos/viewer/use-viewer.ts'
import { lazyPage, PageTrouble } from './page-trouble.tsx'
import { SiteFrame } from './site-frame.tsx'

const MODULES = import.meta.glob<{ default: ComponentType }>('./pages/*.tsx')

/** The code of a page, loaded on demand. */
const codeOf = ({ module }: { module: string }) => lazyPage(MODULES[`./pages/${module}`]!)

/** The path and the component of a page's route. */
const page = <const Path extends string>(entry: { path: Path; module: string }) => ({
  path: entry.path,
  component: codeOf(entry),
})

/** Starts a page's first call while its code is loading, or while the pointer is on a link to it. The route does not
 *  wait for the answer: the page itself shows the result or the failure. */
function start(call: (preload: typeof import('./preload.ts')['preload']) => Promise<void>): void {
  import('./preload.ts').then(({ preload }) => call(preload)).catch(() => {})
}

const root = createRootRoute({ component: SiteFrame, notFoundComponent: codeOf(NOT_FOUND_PAGE) })

const landing = createRoute({ getParentRoute: () => root, ...page(PAGES.landing) })
const privacyPolicy = createRoute({ getParentRoute: () => root, ...page(PAGES.privacyPolicy) })
const termsOfService = createRoute({ getParentRoute: () => root, ...page(PAGES.termsOfService) })
const photoTrouble = createRoute({ getParentRoute: () => root, ...page(PAGES.photoTrouble) })

/** The pages below it call the service. */
const data = createRoute({
  getParentRoute: () => root,
  id: 'data',
  component: lazyPage(() => import('./data-layer.tsx')),
})

const getStarted = createRoute({ getParentRoute: () => data, ...page(PAGES.getStarted) })

const bulkUpload = createRoute({
  getParentRoute: () => data,
  ...page(PAGES.bulkUpload),
  // The album in hand, unless the address names another one of this browser. A name such as 2025 is read as a number.
  validateSearch: ({ album }): { album?: string } => (album === undefined ? {} : { album: String(album) }),
})

const uploadSuccess = createRoute({ getParentRoute: () => data, ...page(PAGES.uploadSuccess) })

const albums = createRoute({
  getParentRoute: () => data,
  ...page(PAGES.albums),
  loader: () => start((preload) => preload.albums()),
})

const album = createRoute({
  getParentRoute: () => data,
  ...page(PAGES.album),
  // All photos instead of the selfie search. Both are one page, so that what a search has found stays.
  validateSearch: ({ photos }): { photos?: 'all' } => (photos === 'all' ? { photos } : {}),
  loader: ({ params }) => start((preload) => preload.album(params.albumName)),
})

const selfie = createRoute({ getParentRoute: () => data, ...page(PAGES.selfie) })
const selfieResults = createRoute({ getParentRoute: () => data, ...page(PAGES.selfieResults) })
const selfieNoResults = createRoute({ getParentRoute: () => data, ...page(PAGES.selfieNoResults) })
const stopLetters = createRoute({ getParentRoute: () => data, ...page(PAGES.stopLetters) })
const letterAddress = createRoute({ getParentRoute: () => data, ...page(PAGES.letterAddress) })
const optOut = createRoute({ getParentRoute: () => data, ...page(PAGES.optOut) })
const optOuts = createRoute({ getParentRoute: () => data, ...page(PAGES.optOuts) })
const photoLetters = createRoute({ getParentRoute: () => data, ...page(PAGES.photoLetters) })
const oauthHelper = createRoute({ getParentRoute: () => data, ...page(PAGES.oauthHelper) })
const gmailOauth = createRoute({ getParentRoute: () => data, ...page(PAGES.gmailOauth) })

export const router = createRouter({
  routeTree: root.addChildren([
    landing,
    privacyPolicy,
    termsOfService,
    photoTrouble,
    data.addChildren([
      getStarted,
      bulkUpload,
      uploadSuccess,
      albums,
      album,
      selfie,
      selfieResults,
      selfieNoResults,
      stopLetters,
      letterAddress,
      optOut,
      optOuts,
      photoLetters,
      oauthHelper,
      gmailOauth,
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
  interface HistoryState {
    /** The page that led to /get-started, because no album has been created in this browser. */
    cameFrom?: 'bulk-upload' | 'selfie'
    /** The album that was created before /bulk-upload was opened: another one may be in hand after a reload. */
    album?: string
    /** What was typed at /get-started, so that Back leads to a form that is not empty, and the album that was created. */
    typed?: { email: string; albumName: string; created?: string }
    /** The photo that is open in the viewer over a grid. */
    openPhoto?: OpenPhoto
  }
}
