/** The program of the decoders: it does one task at a time, in a process that can be killed. Only here a stranger's
 *  picture is decoded. */
import type { BoundingBox } from '../faces/face-index.ts'
import { answerTasks } from '../processes/answer-tasks.ts'
import {
  type InspectedPhoto,
  inspectPhoto,
  renderFull,
  renderPreview,
  renderSelfie,
  renderThumbnail,
} from './images.ts'
import { croppedImage, uprightImage } from './pictures-for-rekognition.ts'
import type { Rendition } from './renditions.ts'

export type DecoderTask =
  | { do: 'inspect'; path: string }
  | { do: 'render'; rendition: Rendition; image: Buffer }
  | { do: 'selfie' | 'upright'; image: Buffer }
  | { do: 'cropped'; image: Buffer; region: BoundingBox }

export type DecoderAnswer = InspectedPhoto | Buffer

const RENDER = { thumb: renderThumbnail, preview: renderPreview, full: renderFull }

async function work(task: DecoderTask): Promise<DecoderAnswer> {
  switch (task.do) {
    case 'inspect':
      return inspectPhoto(task.path)
    case 'render':
      return RENDER[task.rendition](task.image)
    case 'selfie':
      return renderSelfie(task.image)
    case 'upright':
      return uprightImage(task.image)
    case 'cropped':
      return croppedImage(task.image, task.region)
  }
}

await answerTasks(async () => ({ work }))
