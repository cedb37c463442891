import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createSelfieQueue } from '../admission/selfie-queue.ts'
import { type OwnedAlbum, requireOwnedAlbum } from '../albums/access.ts'
import { type BatchResult, uploadBatch } from '../albums/upload.ts'
import { BATCH_SIZE, PHOTO_MAX_BYTES } from '../contract/limits.ts'
import { uploadFields } from '../contract/photos.ts'
import { AppError, HTTP_STATUS } from '../errors.ts'
import type { StagedFile } from '../photos/accept.ts'
import { JSON_TYPE, sendCompressed } from './compression.ts'
import { errorBody } from './errors.ts'
import { FORM_LIMITS, readForm, readPart, unexpectedFile } from './forms.ts'
import type { Limits } from './limits.ts'
import type { MinimumRate } from './selfie-form.ts'
import { searchInAlbum, submitPhoto } from './selfies.ts'
import type { AppServices } from './services.ts'
import { visitorOf } from './session.ts'
import { watchUpload } from './upload-arrival.ts'

/** Submissions of this process that wait to be matched by the jobs of any process, which take less than half a second
 *  each. */
const SUBMISSIONS_AT_ONCE = 17

/** The calls that take files. trpc-openapi answers multipart with 415, so these have routes of their own. */
export async function registerUploads(
  app: FastifyInstance,
  services: AppServices,
  limits: Limits,
): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false, limits: FORM_LIMITS })

  app.post<{ Params: { userAlbumId: string } }>('/albums/:userAlbumId/upload-photos', (request, reply) =>
    uploadPhotos(services, request, reply, limits.uploadRate),
  )
  const selfieServices = {
    ...services,
    selfieQueue: createSelfieQueue(limits.selfies, {
      // While the engines work, the next selfies are decoded. One more than a network may have.
      search: 2 * services.selfiesAtOnce + 1,
      submission: SUBMISSIONS_AT_ONCE,
    }),
    selfieRate: limits.selfieRate,
  }
  app.post('/search-in-album', async (request, reply) => {
    const found = await searchInAlbum(selfieServices, request, reply)
    return await sendCompressed(request, reply.type(JSON_TYPE), JSON.stringify(found))
  })
  app.post('/submit-photo', (request, reply) => submitPhoto(selfieServices, request, reply))
}

async function uploadPhotos(
  services: AppServices,
  request: FastifyRequest<{ Params: { userAlbumId: string } }>,
  reply: FastifyReply,
  rate: MinimumRate,
) {
  const album = await requireOwnedAlbum(services.db, request.params.userAlbumId, visitorOf(request).grants)
  const { failure, ...result } = await takeBatch(services, album, request, rate)
  if (!failure) return result
  return reply.code(HTTP_STATUS[failure.code]).send({ ...errorBody(failure, request), ...result })
}

async function takeBatch(
  services: AppServices,
  album: OwnedAlbum,
  request: FastifyRequest,
  rate: MinimumRate,
): Promise<BatchResult> {
  const staged: StagedFile[] = []
  try {
    const received = await receiveBatch(request, services, album.id, rate, staged)
    services.metrics.uploadedBytes.inc(staged.reduce((sum, file) => sum + file.size, 0))
    const fields = uploadFields.parse(received)
    if (staged.length === 0) throw noPhotosSent()
    return await uploadBatch(services, album, fields, staged, visitorOf(request).address)
  } finally {
    await services.staging.discard(staged)
  }
}

/** Reads the whole form, because clients send the fields after the photos. Each file is added to `staged`, also when
 *  a later part fails.
 *  @returns the fields */
async function receiveBatch(
  request: FastifyRequest,
  { staging, freeDisk }: AppServices,
  albumId: string,
  rate: MinimumRate,
  staged: StagedFile[],
): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  const holders = { album: albumId, address: visitorOf(request).address }
  const limits = { ...FORM_LIMITS, fileSize: PHOTO_MAX_BYTES, files: BATCH_SIZE }
  await freeDisk.require()
  const { upload, signal, end } = watchUpload(request, holders, rate)
  try {
    for await (const part of readForm(request, limits, signal)) {
      if (part.type === 'field') {
        fields[part.fieldname] = part.value
        continue
      }
      if (part.fieldname !== 'photos') throw unexpectedFile(part.fieldname, 'photos')
      await freeDisk.require()
      const { file: stream, filename } = part
      signal.throwIfAborted()
      signal.addEventListener('abort', () => stream.destroy(signal.reason))
      staged.push(
        await readPart(staging.receive({ stream, filename, isCut: () => stream.truncated }, upload)),
      )
    }
  } finally {
    end()
  }
  return fields
}

export const noPhotosSent = () => new AppError('BAD_REQUEST', 'No photos were sent')
