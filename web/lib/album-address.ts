/** The full address of an album's page. @param slug the album's name in its address */
export function albumAddress(slug: string): string {
  return new URL(`/album/${encodeURIComponent(slug)}`, window.location.href).href
}

/** The name of the password behind the # of a scan-and-go code. Browsers send that part of an address to no server. */
export const SCANNED_PASSWORD = 'password'
