/** The program of the decoders: it does one task at a time, in a process that can be killed. Only here a stranger's
 *  picture is decoded. */
import type { BoundingBox } from '../faces/face-index.ts'
import { answerTasks } from '../processes/answer-tasks.ts'
import {
  type InspectedPhoto,
  inspectPhoto,
  placeholderOfThumbnail,
  renderFull,
  renderPreview,
  renderSelfie,
  renderThumbnail,
} from './images.ts'
import { croppedImage, isReadable, uprightImage } from './pictures-for-rekognition.ts'

export type DecoderTask =
  | { do: 'inspect'; path: string }
  | {
      do: 'thumbnail' | 'placeholder' | 'preview' | 'full' | 'selfie' | 'upright' | 'isReadable'
      image: Buffer
    }
  | { do: 'cropped'; image: Buffer; region: BoundingBox }

export type DecoderAnswer = InspectedPhoto | Buffer | boolean

async function work(task: DecoderTask): Promise<DecoderAnswer> {
  switch (task.do) {
    case 'inspect':
      return inspectPhoto(task.path)
    case 'thumbnail':
      return renderThumbnail(task.image)
    case 'placeholder':
      return placeholderOfThumbnail(task.image)
    case 'preview':
      return renderPreview(task.image)
    case 'full':
      return renderFull(task.image)
    case 'selfie':
      return renderSelfie(task.image)
    case 'upright':
      return uprightImage(task.image)
    case 'cropped':
      return croppedImage(task.image, task.region)
    case 'isReadable':
      return isReadable(task.image)
  }
}

await answerTasks(async () => ({ work }))
