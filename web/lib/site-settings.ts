/** A setting of this installation, from the page's head, where the server writes it. Null when it is unset. */
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

/** Who may create albums here: anyone, anyone with an invitation code, or nobody. */
export function albumCreation(): 'open' | 'invited' | 'closed' {
  const given = setting('album-creation')
  return given === 'invited' || given === 'closed' ? given : 'open'
}

/** How much an album can hold here. Null in a page without settings. */
export function albumHolds(): { photos: number; gigabytes: number } | null {
  const [photos, gigabytes] = setting('album-holds')?.split(' ').map(Number) ?? []
  return photos && gigabytes ? { photos, gigabytes } : null
}

/** Whether the visitor had entered the album of this page when the server sent it. */
export function hasEntered(): boolean {
  return setting('entered') !== null
}
