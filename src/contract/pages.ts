/** The pages of the web app (§2), for its router, its tab titles, and the server's status and head. */

export const SITE_NAME = 'Inframe'

/** The address of an empty page. A browser that has no network puts a guest's page into it. */
export const APP_SHELL = '/app-shell'

export interface PageEntry {
  title: string
  /** Search engines must leave it out. */
  hidden?: boolean
  /** It makes calls, so the code for calls is loaded with it. */
  usesCalls?: boolean
  /** The file in web/pages that draws it. */
  module: string
}

export interface RoutedPage extends PageEntry {
  /** As TanStack Router writes it: `$name` is a parameter, `{-$name}` is one that may be missing. */
  path: string
}

export const PAGES = {
  landing: { path: '/', title: SITE_NAME, module: 'landing.tsx' },
  getStarted: { path: '/get-started', title: 'Get Started', usesCalls: true, module: 'get-started.tsx' },
  bulkUpload: {
    path: '/bulk-upload',
    title: 'Upload photos',
    hidden: true,
    usesCalls: true,
    module: 'bulk-upload.tsx',
  },
  uploadSuccess: {
    path: '/upload-success',
    title: 'Upload started',
    usesCalls: true,
    module: 'upload-success.tsx',
  },
  albums: { path: '/albums', title: 'Browse Photo Albums', usesCalls: true, module: 'albums.tsx' },
  album: { path: '/album/$albumName', title: 'Album', hidden: true, usesCalls: true, module: 'album.tsx' },
  selfie: { path: '/selfie', title: 'Upload a selfie', hidden: true, usesCalls: true, module: 'selfie.tsx' },
  selfieResults: {
    path: '/selfie/results/{-$id}',
    title: 'Your photos',
    hidden: true,
    usesCalls: true,
    module: 'selfie-results.tsx',
  },
  selfieNoResults: {
    path: '/selfie/no-results',
    title: 'No Photos Found',
    hidden: true,
    usesCalls: true,
    module: 'selfie-no-results.tsx',
  },
  oauthHelper: {
    path: '/oauth-helper',
    title: 'Gmail OAuth Setup',
    hidden: true,
    usesCalls: true,
    module: 'oauth-helper.tsx',
  },
  gmailOauth: {
    path: '/gmail-oauth',
    title: 'Gmail OAuth Setup',
    hidden: true,
    usesCalls: true,
    module: 'gmail-oauth.tsx',
  },
  /** The link "This was not me" of a letter leads here. */
  stopLetters: {
    path: '/stop-letters',
    title: 'Stop letters',
    hidden: true,
    usesCalls: true,
    module: 'stop-letters.tsx',
  },
  /** The links of the letter about guests' wishes lead here. */
  hidePhotos: {
    path: '/hide-photos',
    title: "A guest's wish",
    hidden: true,
    usesCalls: true,
    module: 'hide-photos.tsx',
  },
  privacyPolicy: { path: '/privacy-policy', title: 'Privacy Policy', module: 'privacy-policy.tsx' },
  termsOfService: { path: '/terms-of-service', title: 'Terms of Service', module: 'terms-of-service.tsx' },
  /** Shown when a photo was opened in a tab, and is not available. */
  photoTrouble: {
    path: '/photos/$photoId/$size',
    title: 'Photo',
    hidden: true,
    module: 'photo-trouble.tsx',
  },
} as const satisfies Record<string, RoutedPage>

/** What any other path shows. */
export const NOT_FOUND_PAGE = {
  title: 'Page Not Found',
  hidden: true,
  module: 'not-found.tsx',
} as const satisfies PageEntry

/** The name of a page in the browser's tab. */
export function tabTitle(title: string): string {
  return title === SITE_NAME ? SITE_NAME : `${title} · ${SITE_NAME}`
}
