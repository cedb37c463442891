import type { Pictures } from '../../faces/rekognition/pictures.ts'
import { croppedImage, isReadable, uprightImage } from '../../faces/rekognition/upright-image.ts'

/** Decodes pictures in the process of the test. */
export const PICTURES_HERE: Pictures = {
  upright: (image) => uprightImage(image),
  cropped: (image, region) => croppedImage(image, region),
  isReadable: (image) => isReadable(image),
}
