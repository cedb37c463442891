/** The full address of an album's page. @param slug the album's name in its address */
export function albumAddress(slug: string): string {
  return new URL(`/album/${encodeURIComponent(slug)}`, window.location.href).href
}
