import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import type { AppContext } from '../context.ts'
import { PHOTO_TOO_LARGE } from '../contract/wording.ts'
import type { NewPhoto } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { HEAD_BYTES, isHeic, THUMBNAIL_MEDIA_TYPE } from './picture-types.ts'
import { photoKey } from './renditions.ts'

/** One uploaded file, complete on the local disk. */
export interface StagedFile {
  /** As the client named it, without any folders. */
  filename: string
  path: string
  /** Bytes that were sent. */
  size: number
  /** Hash of what was sent, so that the same file is recognised when it is sent again. */
  sha256: Buffer
  /** Cut off at the size limit while it was streaming. */
  tooLarge: boolean
}

/** A staged file that can be read completely. */
export interface AcceptedPhoto {
  photo: NewPhoto
  /** For the owner. */
  note: string | undefined
  /** Stores it. The caller records it. Until then its bytes are in storage under a key made from their hash, and the next try
   *  simply writes them again. */
  store(): Promise<void>
}

/** Reads a staged file completely, and stores nothing yet.
 *  @throws AppError with the reason for the owner when the file is refused. The staged file is not removed. */
export async function acceptPhoto(
  { storage, decoders }: Pick<AppContext, 'decoders' | 'storage'>,
  albumId: string,
  file: StagedFile,
): Promise<AcceptedPhoto> {
  if (file.tooLarge) throw photoTooLarge()
  const { thumbnail, mediaType, size, width, height, placeholder, ...facts } = await decoders
    .inspect(file.path)
    .catch(async (error) => {
      throw (await isDisguisedHeic(file)) ? heicInDisguise(extname(file.filename)) : error
    })
  const photo = {
    album_id: albumId,
    sha256: file.sha256,
    filename: file.filename,
    media_type: mediaType,
    size,
    width,
    height,
    placeholder,
    is_taken_as_stored: facts.isTakenAsStored,
    taken_at: facts.takenAt ?? null,
    camera: facts.camera ?? null,
  }
  const store = async () => {
    await Promise.all([
      storage.move(file.path, photoKey(albumId, file.sha256, 'original'), mediaType),
      storage.write(photoKey(albumId, file.sha256, 'thumb'), thumbnail, THUMBNAIL_MEDIA_TYPE),
    ])
  }
  return { photo, note: facts.isCutShort ? CUT_SHORT : undefined, store }
}

const CUT_SHORT = 'The end of this photo is missing. It is kept as far as it goes'

const photoTooLarge = () => new AppError('PAYLOAD_TOO_LARGE', PHOTO_TOO_LARGE)

/** @param extension as in `.jpg` */
const heicInDisguise = (extension: string) =>
  new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    `This is a HEIC picture although its name says ${extension}. Please save it as JPEG`,
  )

/** Whether a file is a HEIC picture whose name says something else. */
async function isDisguisedHeic({ path, filename }: StagedFile): Promise<boolean> {
  if (!/\.(jpe?g|png)$/i.test(filename)) return false
  const head = createReadStream(path, { end: HEAD_BYTES - 1 })
  return isHeic(Buffer.concat(await head.toArray()))
}
