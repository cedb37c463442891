import type { Pictures } from '../../faces/pictures.ts'
import { croppedImage, isReadable, uprightImage } from '../../photos/pictures-for-rekognition.ts'

/** Decodes pictures in the process of the test. */
export const PICTURES_HERE: Pictures = {
  upright: (image) => uprightImage(image),
  cropped: (image, region) => croppedImage(image, region),
  isReadable: (image) => isReadable(image),
}
