import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router'
import { readOrganiser, readUploadRecord } from './lib/saved-values.ts'
import { lazyPage, PageTrouble } from './ui/page-trouble.tsx'
import { SiteFrame } from './ui/site-frame.tsx'

const root = createRootRoute({
  component: SiteFrame,
  notFoundComponent: lazyPage(() => import('./pages/not-found.tsx'), 'NotFoundPage'),
})

const landing = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyPage(() => import('./pages/landing.tsx'), 'LandingPage'),
})

const privacyPolicy = createRoute({
  getParentRoute: () => root,
  path: '/privacy-policy',
  component: lazyPage(() => import('./pages/privacy-policy.tsx'), 'PrivacyPolicyPage'),
})

const termsOfService = createRoute({
  getParentRoute: () => root,
  path: '/terms-of-service',
  component: lazyPage(() => import('./pages/terms-of-service.tsx'), 'TermsOfServicePage'),
})

/** What a tab shows in which a photo was opened that could not be had. */
const photo = createRoute({
  getParentRoute: () => root,
  path: '/photos/$photoId/$size',
  component: lazyPage(() => import('./pages/photo-trouble.tsx'), 'PhotoTroublePage'),
})

/** The pages below it talk to the service. */
const data = createRoute({
  getParentRoute: () => root,
  id: 'data',
  component: lazyPage(() => import('./data-layer.tsx'), 'DataLayer'),
})

const getStarted = createRoute({
  getParentRoute: () => data,
  path: '/get-started',
  component: lazyPage(() => import('./pages/get-started.tsx'), 'GetStartedPage'),
})

const bulkUpload = createRoute({
  getParentRoute: () => data,
  path: '/bulk-upload',
  beforeLoad: () => {
    if (!readOrganiser()) throw redirect({ to: '/get-started' })
  },
  component: lazyPage(() => import('./pages/bulk-upload.tsx'), 'BulkUploadPage'),
})

const uploadSuccess = createRoute({
  getParentRoute: () => data,
  path: '/upload-success',
  beforeLoad: ({ cause }) => {
    // Only on arrival: the page deletes the record as soon as it has read it.
    if (cause !== 'stay' && !readUploadRecord()) throw redirect({ to: '/' })
  },
  component: lazyPage(() => import('./pages/upload-success.tsx'), 'UploadSuccessPage'),
})

const albums = createRoute({
  getParentRoute: () => data,
  path: '/albums',
  component: lazyPage(() => import('./pages/albums.tsx'), 'AlbumsPage'),
})

const album = createRoute({
  getParentRoute: () => data,
  path: '/album/$albumName',
  component: lazyPage(() => import('./pages/album.tsx'), 'AlbumPage'),
})

const selfie = createRoute({
  getParentRoute: () => data,
  path: '/selfie',
  beforeLoad: () => {
    if (!readOrganiser()) throw redirect({ to: '/get-started' })
  },
  component: lazyPage(() => import('./pages/selfie.tsx'), 'SelfiePage'),
})

const selfieResults = createRoute({
  getParentRoute: () => data,
  path: '/selfie/results/{-$id}',
  component: lazyPage(() => import('./pages/selfie-results.tsx'), 'SelfieResultsPage'),
})

const selfieNoResults = createRoute({
  getParentRoute: () => data,
  path: '/selfie/no-results',
  component: lazyPage(() => import('./pages/selfie-no-results.tsx'), 'SelfieNoResultsPage'),
})

const oauthHelper = createRoute({
  getParentRoute: () => data,
  path: '/oauth-helper',
  component: lazyPage(() => import('./pages/oauth-helper.tsx'), 'OauthHelperPage'),
})

const gmailOauth = createRoute({
  getParentRoute: () => data,
  path: '/gmail-oauth',
  component: lazyPage(() => import('./pages/gmail-oauth.tsx'), 'GmailOauthPage'),
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
  defaultErrorComponent: PageTrouble,
  defaultPreload: 'intent',
  scrollRestoration: true,
  scrollRestorationBehavior: 'instant',
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
