/** Identifies a chosen file without reading it. */
export type PhotoIdentity = [path: string, size: number, lastModified: number]

/** The path starts at the folder that was chosen or dropped. The browser and file-selector may write './' or '/' before
 *  it. */
export function identityOf(photo: File & { path?: string }): PhotoIdentity {
  const path = photo.path || photo.webkitRelativePath || photo.name
  return [path.replace(/^\.?\/+/, ''), photo.size, photo.lastModified]
}

/** The identity as a key of maps and lists. */
export function identityKey(photo: File): string {
  return JSON.stringify(identityOf(photo))
}
