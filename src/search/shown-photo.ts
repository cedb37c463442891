import type { ResultPhoto } from '../contract/submissions.ts'
import type { Photo } from '../database/schema.ts'
import type { PhotoLinks } from '../photos/links.ts'
import { pictureName } from '../photos/picture-name.ts'
import { fullMediaType } from '../photos/picture-types.ts'

type ShownPhoto = Pick<Photo, 'id' | 'filename' | 'media_type' | 'width' | 'height' | 'placeholder'>

/** What the answers say about a photo. */
export function shownPhoto(
  links: PhotoLinks,
  origin: string,
  photo: ShownPhoto & { password_version: number },
): ResultPhoto {
  const { url, thumbUrl, previewUrl, downloadUrl } = links.sign(photo.id, photo.password_version)
  const { width, height, placeholder } = photo
  return {
    url: origin + url,
    thumbUrl: origin + thumbUrl,
    previewUrl: origin + previewUrl,
    downloadUrl: origin + downloadUrl,
    filename: pictureName(photo.filename, fullMediaType(photo)),
    width,
    height,
    placeholder: placeholder.toString('base64'),
  }
}
