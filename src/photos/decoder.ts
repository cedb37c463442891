/** The program of the decoders: it does one task at a time, in a process that can be killed. Only here a stranger's
 *  picture is decoded. */
import { writeFile } from 'node:fs/promises'
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
import { croppedImage, isReadable, uprightImage } from './pictures-for-rekognition.ts'

export type DecoderTask =
  | { do: 'inspect'; path: string }
  | {
      do: 'thumbnail' | 'preview' | 'selfie' | 'upright' | 'isReadable'
      image: Buffer
    }
  /** Writes a new file at `path`. The answer is its size in bytes. */
  | { do: 'full'; image: Buffer; path: string }
  | { do: 'cropped'; image: Buffer; region: BoundingBox }

export type DecoderAnswer = InspectedPhoto | Buffer | boolean | number

async function work(task: DecoderTask): Promise<DecoderAnswer> {
  switch (task.do) {
    case 'inspect':
      return inspectPhoto(task.path)
    case 'thumbnail':
      return renderThumbnail(task.image)
    case 'preview':
      return renderPreview(task.image)
    case 'full':
      return writeFull(task.image, task.path)
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

async function writeFull(image: Buffer, path: string): Promise<number> {
  const full = await renderFull(image)
  await writeFile(path, full, { mode: 0o600 })
  return full.length
}

await answerTasks(async () => ({ work }))
