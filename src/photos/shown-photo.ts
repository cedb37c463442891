import type { ResultPhoto } from '../contract/submissions.ts'
import type { Photo } from '../database/schema.ts'
import type { PhotoLinks } from './links.ts'
import { pictureName } from './picture-name.ts'
import { fullMediaType } from './picture-types.ts'

type ShownPhoto = Pick<Photo, 'id' | 'filename' | 'media_type' | 'width' | 'height' | 'placeholder'>

/** What the answers say about a photo.
 *  @param photo.owner_key_version of the owner, for whom alone the addresses are then */
export function shownPhoto(
  links: PhotoLinks,
  origin: string,
  photo: ShownPhoto & { password_version: number; owner_key_version?: number | null },
): ResultPhoto {
  const { url, thumbUrl, previewUrl, downloadUrl } = links.sign(
    photo.id,
    photo.password_version,
    Date.now(),
    photo.owner_key_version ?? undefined,
  )
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
