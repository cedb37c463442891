/** The name of the owner key behind the # of a private link. Browsers send that part of an address to no server. */
export const OWNER_KEY = 'owner-key'

/** The organiser's desk of an album, or one of its sections.
 *  @returns the address below the site's root */
export const deskPath = (albumName: string, section?: string) =>
  `/manage/${albumName}${section === undefined ? '' : `/${section}`}`

/** The private link of an album's owner.
 *  @returns the address below the site's root */
export function ownerLink(albumName: string, ownerKey: string, section?: string): string {
  return `${deskPath(albumName, section)}#${OWNER_KEY}=${ownerKey}`
}
