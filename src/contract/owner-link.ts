/** The name of the owner key behind the # of a private link. Browsers send that part of an address to no server. */
export const OWNER_KEY = 'owner-key'

/** The private link of an album's owner.
 *  @returns the address below the site's root */
export function ownerLink(albumName: string, ownerKey: string): string {
  return `/album/${albumName}#${OWNER_KEY}=${ownerKey}`
}
