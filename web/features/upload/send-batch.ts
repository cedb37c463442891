import type { UploadOutput } from '../../../src/contract/photos.ts'
import { RequestFailure } from '../../lib/failure.ts'
import { postMultipart } from '../../lib/multipart.ts'
import type { OnAlbum } from './owned-album.ts'
import type { SendBatch } from './upload-engine.ts'

/** Sends batches to the organiser's album. */
export function sendBatchTo(onAlbum: OnAlbum): SendBatch {
  return async ({ photos, fields }, options) => {
    const form = new FormData()
    // The fields come first: the service reads the body as it arrives.
    for (const [name, value] of Object.entries(fields ?? {})) form.append(name, String(value))
    for (const photo of photos) form.append('photos', photo, photo.name)
    try {
      return await onAlbum((id) =>
        postMultipart<UploadOutput>(`/api/albums/${id}/upload-photos`, form, options),
      )
    } catch (error) {
      const verdicts = refusedFiles(error)
      if (verdicts) return verdicts
      throw error
    }
  }
}

/** A 4xx answer with a verdict for each file refused the files. The request itself did not fail, and a retry would
 *  change nothing. */
function refusedFiles(error: unknown): UploadOutput | null {
  if (!(error instanceof RequestFailure) || error.status < 400 || error.status > 499) return null
  const answer = error.body as Partial<UploadOutput> | null
  if (!Array.isArray(answer?.files) || answer.files.length === 0) return null
  return {
    successful: answer.successful ?? 0,
    failed: answer.failed ?? answer.files.length,
    files: answer.files,
  }
}
