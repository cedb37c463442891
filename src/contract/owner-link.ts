/** The private link of an album's owner: it holds the owner key behind the #, which browsers send to no server. */

const OWNER_KEY = /^#owner-key=([A-Za-z0-9_-]{32})$/

/** @returns the address below the site's root */
export function ownerLink(albumName: string, ownerKey: string): string {
  return `/album/${albumName}#owner-key=${ownerKey}`
}

/** @param hash the part of an address from the # on
 *  @returns the owner key; undefined when the address is no private link */
export function ownerKeyIn(hash: string): string | undefined {
  return OWNER_KEY.exec(hash)?.[1]
}
