import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type OwnedAlbum, requireOwnedAlbum } from '../albums/access.ts'
import type { AppContext } from '../context.ts'
import { BATCH_SIZE, PHOTO_MAX_BYTES } from '../contract/limits.ts'
import { uploadFields } from '../contract/photos.ts'
import { AppError, HTTP_STATUS } from '../errors.ts'
import type { StagedFile } from '../photos/accept.ts'
import { type BatchResult, uploadBatch } from '../uploads/accept-batch.ts'
import { JSON_TYPE, sendCompressed } from './compression.ts'
import { errorBody } from './errors.ts'
import { FORM_LIMITS, readForm, readPart, unexpectedFile } from './forms.ts'
import type { Limits } from './limits.ts'
import { limitSelfies, searchInAlbum, submitPhoto } from './selfies.ts'
import { visitorOf } from './session.ts'

/** The calls that take files. trpc-openapi answers multipart with 415, so these have routes of their own. */
export async function registerUploads(
  app: FastifyInstance,
  services: AppContext,
  limits: Limits,
): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false, limits: FORM_LIMITS })

  app.post<{ Params: { userAlbumId: string } }>('/albums/:userAlbumId/upload-photos', (request, reply) =>
    uploadPhotos(services, request, reply),
  )
  const selfieContext = { ...services, selfies: limitSelfies(), selfieArriveMs: limits.selfie }
  app.post('/search-in-album', async (request, reply) => {
    const found = await searchInAlbum(selfieContext, request, reply)
    return await sendCompressed(request, reply.type(JSON_TYPE), JSON.stringify(found))
  })
  app.post('/submit-photo', async (request, reply) => {
    await submitPhoto(selfieContext, request, reply)
    return reply
  })
}

async function uploadPhotos(
  services: AppContext,
  request: FastifyRequest<{ Params: { userAlbumId: string } }>,
  reply: FastifyReply,
) {
  const album = await requireOwnedAlbum(services.db, request.params.userAlbumId, visitorOf(request).grants)
  const { failure, ...result } = await takeBatch(services, album, request)
  if (!failure) return result
  return reply.code(HTTP_STATUS[failure.code]).send({ ...errorBody(failure, request), ...result })
}

async function takeBatch(
  services: AppContext,
  album: OwnedAlbum,
  request: FastifyRequest,
): Promise<BatchResult> {
  const staged: StagedFile[] = []
  try {
    const received = await receiveBatch(request, services, staged)
    services.metrics.uploadedBytes.inc(staged.reduce((sum, file) => sum + file.size, 0))
    const fields = uploadFields.parse(received)
    if (staged.length === 0) throw noPhotosSent()
    return await uploadBatch(services, album, fields, staged)
  } finally {
    await services.staging.discard(staged)
  }
}

/** Reads the whole form, because clients send the fields after the photos. Each file is added to `staged`, also when
 *  a later part fails.
 *  @returns the fields */
async function receiveBatch(
  request: FastifyRequest,
  { staging, freeDisk }: AppContext,
  staged: StagedFile[],
): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  await freeDisk.require()
  for await (const part of readForm(request, {
    ...FORM_LIMITS,
    fileSize: PHOTO_MAX_BYTES,
    files: BATCH_SIZE,
  })) {
    if (part.type === 'field') {
      fields[part.fieldname] = part.value
      continue
    }
    if (part.fieldname !== 'photos') throw unexpectedFile(part.fieldname, 'photos')
    await freeDisk.require()
    const { file: stream, filename } = part
    const incoming = { stream, filename, isCut: () => stream.truncated }
    staged.push(await readPart(staging.receive(incoming)))
  }
  return fields
}

const noPhotosSent = () => new AppError('BAD_REQUEST', 'No photos were sent')
