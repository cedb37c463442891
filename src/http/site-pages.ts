const SITE = 'Inframe'
const DESCRIPTION =
  'Upload your event photos, share one link, and let every guest find the photos they are in with a selfie.'

/** A page of the web app (§2), as far as the server knows it. */
export interface SitePage {
  /** As the tab says it. */
  title: string
  description: string
  /** Search engines are to leave it alone. Said in a header: a mark in the document would have to be taken back
   *  when the visitor goes on to another page. */
  hidden?: boolean
  /** The files of the web app that the router loads for it. */
  modules: string[]
}

const page = (title: string, modules: string[], hidden = false): SitePage => ({
  title: title === SITE ? SITE : `${title} · ${SITE}`,
  description: DESCRIPTION,
  modules,
  hidden,
})
const dataPage = (title: string, module: string, hidden = false) =>
  page(title, ['data-layer.tsx', module], hidden)

/** The paths the web app has a page for; on any other it shows its 404 page, with that status. */
export const SITE_PAGES: Record<string, SitePage> = {
  '/': page(SITE, ['pages/landing.tsx']),
  '/get-started': dataPage('Get Started', 'pages/get-started.tsx'),
  '/bulk-upload': dataPage('Upload photos', 'pages/bulk-upload.tsx', true),
  '/upload-success': dataPage('Upload started', 'pages/upload-success.tsx'),
  '/albums': dataPage('Browse Photo Albums', 'pages/albums.tsx'),
  '/album/:albumName': dataPage('Album', 'pages/album.tsx', true),
  '/selfie': dataPage('Upload a selfie', 'pages/selfie.tsx', true),
  '/selfie/results': dataPage('Your photos', 'pages/selfie-results.tsx', true),
  '/selfie/results/': dataPage('Your photos', 'pages/selfie-results.tsx', true),
  '/selfie/results/:id': dataPage('Your photos', 'pages/selfie-results.tsx', true),
  '/selfie/no-results': dataPage('No Photos Found', 'pages/selfie-no-results.tsx', true),
  '/oauth-helper': dataPage('Gmail OAuth Setup', 'pages/oauth-helper.tsx', true),
  '/gmail-oauth': dataPage('Gmail OAuth Setup', 'pages/gmail-oauth.tsx', true),
  '/privacy-policy': page('Privacy Policy', ['pages/privacy-policy.tsx']),
  '/terms-of-service': page('Terms of Service', ['pages/terms-of-service.tsx']),
}

export const NOT_FOUND_PAGE = page('Page Not Found', ['pages/not-found.tsx'], true)

/** The address of a photo that cannot be shown. */
export const TROUBLE_PAGE = page('Photo', ['pages/photo-trouble.tsx'], true)

/** What a messaging app shows of an album's link: no more than anyone may ask of an album (auth-status). */
export function albumPage(displayName: string): SitePage & { invitation: string } {
  return {
    ...dataPage(displayName, 'pages/album.tsx', true),
    invitation: `Find yourself in ${displayName}`,
    description: "Open the album with its password, drop a selfie, and see every photo you're in.",
  }
}
