/** A setting of this installation, from the page's head, where the server writes it. Null when it is unset. */
export function setting(name: string): string | null {
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

/** Whether the visitor had entered the album of this page when the server sent it. */
export function hasEntered(): boolean {
  return setting('entered') !== null
}
