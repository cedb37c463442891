/** The pages of the web app (§2), for its router, and the server's status and head. */

export const SITE_NAME = 'Inframe'

/** The address of an empty page. A browser that has no network puts a guest's page into it. */
export const APP_SHELL = '/app-shell'

export interface PageEntry {
  /** Search engines must leave it out. */
  hidden?: boolean
  /** The file in web/pages that draws it. */
  module: string
}

export interface RoutedPage extends PageEntry {
  /** As TanStack Router writes it: `$name` is a parameter, `{-$name}` is one that may be missing. */
  path: string
}

export const PAGES = {
  landing: { path: '/', module: 'landing.tsx' },
  getStarted: { path: '/get-started', module: 'get-started.tsx' },
  bulkUpload: { path: '/bulk-upload', hidden: true, module: 'bulk-upload.tsx' },
  uploadSuccess: { path: '/upload-success', module: 'upload-success.tsx' },
  albums: { path: '/albums', module: 'albums.tsx' },
  album: { path: '/album/$albumName', hidden: true, module: 'album.tsx' },
  selfie: { path: '/selfie', hidden: true, module: 'selfie.tsx' },
  selfieResults: { path: '/selfie/results/{-$id}', hidden: true, module: 'selfie-results.tsx' },
  selfieNoResults: { path: '/selfie/no-results', hidden: true, module: 'selfie-no-results.tsx' },
  oauthHelper: { path: '/oauth-helper', hidden: true, module: 'oauth-helper.tsx' },
  gmailOauth: { path: '/gmail-oauth', hidden: true, module: 'gmail-oauth.tsx' },
  /** The link "This was not me" of a letter leads here. */
  stopLetters: { path: '/stop-letters', hidden: true, module: 'stop-letters.tsx' },
  /** The letter that asks to confirm a new address of an album leads here. */
  letterAddress: { path: '/letter-address', hidden: true, module: 'letter-address.tsx' },
  /** Here a guest sees what has become of an opt-out, and undoes it. */
  optOut: { path: '/opt-out', hidden: true, module: 'opt-out.tsx' },
  /** The letter about opt-outs leads here: the owner answers them. */
  optOuts: { path: '/opt-outs', hidden: true, module: 'opt-outs.tsx' },
  /** The links of the letters to guests about new photos of them lead here. */
  photoLetters: { path: '/photo-letters', hidden: true, module: 'photo-letters.tsx' },
  privacyPolicy: { path: '/privacy-policy', module: 'privacy-policy.tsx' },
  termsOfService: { path: '/terms-of-service', module: 'terms-of-service.tsx' },
  /** Shown when a photo was opened in a tab, and is not available. */
  photoTrouble: { path: '/photos/$photoId/$size', hidden: true, module: 'photo-trouble.tsx' },
} as const satisfies Record<string, RoutedPage>

/** What any other path shows. */
export const NOT_FOUND_PAGE = {
  hidden: true,
  module: 'not-found.tsx',
} as const satisfies PageEntry

/** The name of a page in the browser's tab. */
export function tabTitle(title: string): string {
  return title === SITE_NAME ? SITE_NAME : `${title} · ${SITE_NAME}`
}
