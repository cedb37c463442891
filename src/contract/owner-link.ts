/** The private link of an album's owner. It has the owner key behind the #, which browsers send to no server. */

const PARAMETER = 'owner-key'

/** @returns the address below the site's root */
export function ownerLink(albumName: string, ownerKey: string): string {
  return `/album/${albumName}#${PARAMETER}=${ownerKey}`
}

/** @param hash the part of an address after the #
 *  @returns the owner key; undefined when the address is no private link */
export function ownerKeyIn(hash: string): string | undefined {
  return new URLSearchParams(hash).get(PARAMETER) ?? undefined
}
