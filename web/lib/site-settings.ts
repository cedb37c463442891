/** What whoever runs this Inframe has set; the server writes it into the page's head. Null when unset. */
function setting(name: string): string | null {
  return document.querySelector<HTMLMetaElement>(`meta[name="inframe-${name}"]`)?.content.trim() || null
}

/** The address of the external public photo library. */
export function photoLibraryUrl(): string | null {
  return setting('photo-library')
}

/** The measurement id of Google Analytics. */
export function analyticsId(): string | null {
  return setting('analytics-id')
}
