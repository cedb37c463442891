import type { Pictures } from '../../faces/rekognition/pictures.ts'
import { isReadable, uprightImage } from '../../faces/rekognition/upright-image.ts'

/** Decodes pictures in the process of the test. */
export const PICTURES_HERE: Pictures = {
  upright: (image) => uprightImage(image),
  isReadable: (image) => isReadable(image),
}
