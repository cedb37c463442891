import type { PhotoAddresses, PhotoLinks } from '../photos/links.ts'

/** The addresses of a photo for visitors.
 *  @param origin the site's own, without a slash at its end */
export function addressesOf(
  links: PhotoLinks,
  origin: string,
  photo: { id: string; password_version: number },
): PhotoAddresses {
  const { url, thumbUrl, previewUrl, downloadUrl } = links.sign(photo.id, photo.password_version)
  return {
    url: origin + url,
    thumbUrl: origin + thumbUrl,
    previewUrl: origin + previewUrl,
    downloadUrl: origin + downloadUrl,
  }
}
