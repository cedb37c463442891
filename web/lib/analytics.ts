import { setting } from './site-settings.ts'

declare global {
  interface Window {
    dataLayer?: unknown[]
  }
}

let begun = false

/** Counts the download of a photo (§7), without data about the photo or the visitor.
 *  Without a measurement id nothing is loaded or sent, and the console says so once. */
export function trackPhotoDownloaded(): void {
  const id = setting('analytics-id')
  if (!begun) {
    begun = true
    if (id) begin(id)
    else console.warn('Downloads are not counted: the analytics measurement id is missing')
  }
  if (id) gtag('event', 'Photo Downloaded')
}

/** Google's tag (https://developers.google.com/tag-platform/gtagjs), without consent, so that it keeps no
 *  cookie. It gets the site's address instead of the page's, because a page's address names an album or opens a
 *  visitor's results. */
function begin(id: string): void {
  gtag('consent', 'default', {
    ad_storage: 'denied',
    ad_user_data: 'denied',
    ad_personalization: 'denied',
    analytics_storage: 'denied',
  })
  gtag('set', { page_location: `${location.origin}/`, page_referrer: location.origin, page_title: 'Inframe' })
  gtag('js', new Date())
  gtag('config', id, {
    send_page_view: false,
    anonymize_ip: true,
    allow_google_signals: false,
    allow_ad_personalization_signals: false,
  })
  const script = document.createElement('script')
  script.async = true
  script.src = `https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(id)}`
  document.head.append(script)
}

function gtag(..._command: unknown[]): void {
  window.dataLayer ??= []
  // biome-ignore lint/complexity/noArguments: Google's tag reads its commands only from an arguments object.
  window.dataLayer.push(arguments)
}
