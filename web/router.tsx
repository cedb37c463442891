import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { readOrganiser, readUploadRecord } from './lib/saved-values.ts'
import { SiteFrame } from './ui/site-frame.tsx'

const root = createRootRoute({
  component: SiteFrame,
  notFoundComponent: lazyRouteComponent(() => import('./pages/not-found.tsx'), 'NotFoundPage'),
})

const landing = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/landing.tsx'), 'LandingPage'),
})

const privacyPolicy = createRoute({
  getParentRoute: () => root,
  path: '/privacy-policy',
  component: lazyRouteComponent(() => import('./pages/privacy-policy.tsx'), 'PrivacyPolicyPage'),
})

const termsOfService = createRoute({
  getParentRoute: () => root,
  path: '/terms-of-service',
  component: lazyRouteComponent(() => import('./pages/terms-of-service.tsx'), 'TermsOfServicePage'),
})

/** What a tab shows in which a photo was opened that could not be had. */
const photo = createRoute({
  getParentRoute: () => root,
  path: '/photos/$photoId/$size',
  component: lazyRouteComponent(() => import('./pages/photo-trouble.tsx'), 'PhotoTroublePage'),
})

/** The pages below it talk to the service. */
const data = createRoute({
  getParentRoute: () => root,
  id: 'data',
  component: lazyRouteComponent(() => import('./data-layer.tsx'), 'DataLayer'),
})

const getStarted = createRoute({
  getParentRoute: () => data,
  path: '/get-started',
  component: lazyRouteComponent(() => import('./pages/get-started.tsx'), 'GetStartedPage'),
})

const bulkUpload = createRoute({
  getParentRoute: () => data,
  path: '/bulk-upload',
  beforeLoad: () => {
    if (!readOrganiser()) throw redirect({ to: '/get-started' })
  },
  component: lazyRouteComponent(() => import('./pages/bulk-upload.tsx'), 'BulkUploadPage'),
})

const uploadSuccess = createRoute({
  getParentRoute: () => data,
  path: '/upload-success',
  beforeLoad: ({ cause }) => {
    // Only on arrival: the page deletes the record as soon as it has read it.
    if (cause !== 'stay' && !readUploadRecord()) throw redirect({ to: '/' })
  },
  component: lazyRouteComponent(() => import('./pages/upload-success.tsx'), 'UploadSuccessPage'),
})

const albums = createRoute({
  getParentRoute: () => data,
  path: '/albums',
  component: lazyRouteComponent(() => import('./pages/albums.tsx'), 'AlbumsPage'),
})

const album = createRoute({
  getParentRoute: () => data,
  path: '/album/$albumName',
  component: lazyRouteComponent(() => import('./pages/album.tsx'), 'AlbumPage'),
})

const selfie = createRoute({
  getParentRoute: () => data,
  path: '/selfie',
  beforeLoad: () => {
    if (!readOrganiser()) throw redirect({ to: '/get-started' })
  },
  component: lazyRouteComponent(() => import('./pages/selfie.tsx'), 'SelfiePage'),
})

const selfieResults = createRoute({
  getParentRoute: () => data,
  path: '/selfie/results/{-$id}',
  component: lazyRouteComponent(() => import('./pages/selfie-results.tsx'), 'SelfieResultsPage'),
})

const selfieNoResults = createRoute({
  getParentRoute: () => data,
  path: '/selfie/no-results',
  component: lazyRouteComponent(() => import('./pages/selfie-no-results.tsx'), 'SelfieNoResultsPage'),
})

const oauthHelper = createRoute({
  getParentRoute: () => data,
  path: '/oauth-helper',
  component: lazyRouteComponent(() => import('./pages/oauth-helper.tsx'), 'OauthHelperPage'),
})

const gmailOauth = createRoute({
  getParentRoute: () => data,
  path: '/gmail-oauth',
  component: lazyRouteComponent(() => import('./pages/gmail-oauth.tsx'), 'GmailOauthPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    landing,
    privacyPolicy,
    termsOfService,
    photo,
    data.addChildren([
      getStarted,
      bulkUpload,
      uploadSuccess,
      albums,
      album,
      selfie,
      selfieResults,
      selfieNoResults,
      oauthHelper,
      gmailOauth,
    ]),
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  scrollRestorationBehavior: 'instant',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
