/** The full address of an album's page. @param slug the album's name in its address */
export function albumAddress(slug: string): string {
  return new URL(`/album/${encodeURIComponent(slug)}`, window.location.href).href
}

/** The name of the password behind the # of a scan-and-go code. Browsers send that part of an address to no server. */
export const SCANNED_PASSWORD = 'password'

/** The address of a code that lets in whoever scans it, while the owner has turned that on. */
export const scanAndGoAddress = (slug: string, password: string) =>
  `${albumAddress(slug)}#${SCANNED_PASSWORD}=${password}`
