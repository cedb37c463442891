/** The pages of the web app (§2), for its router, and the server's status and head. */

export const SITE_NAME = 'Inframe'

/** The address of an empty page. A browser that has no network puts a guest's page into it. */
export const APP_SHELL = '/app-shell'

export interface PageEntry {
  /** As TanStack Router writes it: `$name` is a parameter, `{-$name}` is one that may be missing. */
  path?: string
  /** Search engines must leave it out. */
  hidden?: boolean
}

export type RoutedPage = PageEntry & { path: string }

export const PAGES = {
  landing: { path: '/' },
  getStarted: { path: '/get-started' },
  bulkUpload: { path: '/bulk-upload', hidden: true },
  uploadSuccess: { path: '/upload-success' },
  albums: { path: '/albums' },
  album: { path: '/album/$albumName', hidden: true },
  /** The organiser's desk. */
  manage: { path: '/manage/$albumName/{-$section}', hidden: true },
  selfie: { path: '/selfie', hidden: true },
  selfieResults: { path: '/selfie/results/{-$id}', hidden: true },
  selfieNoResults: { path: '/selfie/no-results', hidden: true },
  oauthHelper: { path: '/oauth-helper', hidden: true },
  gmailOauth: { path: '/gmail-oauth', hidden: true },
  /** The link "This was not me" of a letter leads here. */
  stopLetters: { path: '/stop-letters', hidden: true },
  /** The letter that asks to confirm a new address of an album leads here. */
  letterAddress: { path: '/letter-address', hidden: true },
  /** Here a guest sees what has become of an opt-out, and undoes it. */
  optOut: { path: '/opt-out', hidden: true },
  /** The letter about opt-outs leads here: the owner answers them. */
  optOuts: { path: '/opt-outs', hidden: true },
  /** The links of the letters to guests about new photos of them lead here. */
  photoLetters: { path: '/photo-letters', hidden: true },
  privacyPolicy: { path: '/privacy-policy' },
  termsOfService: { path: '/terms-of-service' },
  /** Shown when a photo was opened in a tab, and is not available. */
  photoTrouble: { path: '/photos/$photoId/$size', hidden: true },
} as const satisfies Record<string, RoutedPage>

/** What any other path shows. */
export const NOT_FOUND_PAGE = { hidden: true } as const satisfies PageEntry

/** The name of a page in the browser's tab. */
export function tabTitle(title: string): string {
  return title === SITE_NAME ? SITE_NAME : `${title} · ${SITE_NAME}`
}
