import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireOwnedAlbum } from '../albums/access.ts'
import { type BatchResult, uploadBatch } from '../albums/upload.ts'
import { BATCH_SIZE, PHOTO_MAX_BYTES } from '../contract/limits.ts'
import { uploadFields } from '../contract/photos.ts'
import { AppError, HTTP_STATUS } from '../errors.ts'
import type { StagedFile } from '../photos/accept.ts'
import { createPlaces } from '../search/place-queries.ts'
import { createSelfieLine } from '../search/selfie-line.ts'
import { createSelfiePace } from '../search/selfie-pace.ts'
import type { ArrivalLimits } from './arrival-limits.ts'
import { JSON_TYPE, sendCompressed } from './compression.ts'
import { errorBody } from './errors.ts'
import { FORM_LIMITS, readForm, readPart, unexpectedFile } from './forms.ts'
import { createSelfieMemory } from './selfie-memory.ts'
import { searchInAlbum, submitPhoto } from './selfies.ts'
import type { AppServices } from './services.ts'
import { visitorOf } from './session.ts'

/** The calls that take files. trpc-openapi answers multipart with 415, so these have routes of their own. */
export async function registerUploads(
  app: FastifyInstance,
  services: AppServices,
  limits: ArrivalLimits,
): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false, limits: FORM_LIMITS })

  app.post<{ Params: { userAlbumId: string } }>('/albums/:userAlbumId/upload-photos', (request, reply) =>
    uploadPhotos(services, request, reply, limits.uploadPause),
  )
  const selfiePace = createSelfiePace({ engines: services.selfiesAtOnce })
  const selfieServices = {
    ...services,
    selfiePace,
    selfieLine: createSelfieLine({ places: createPlaces(services), interval: selfiePace.interval }),
    selfieMemory: createSelfieMemory(limits.selfieMemory),
    strangersMemory: createSelfieMemory(limits.strangersMemory),
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
  longestPause: number,
) {
  const album = await requireOwnedAlbum(services.db, request.params.userAlbumId, visitorOf(request).grants)
  const { failure, ...result } = await takeBatch(services, album.id, request, longestPause)
  if (!failure) return result
  return reply.code(HTTP_STATUS[failure.code]).send({ ...errorBody(failure, request), ...result })
}

async function takeBatch(
  services: AppServices,
  albumId: string,
  request: FastifyRequest,
  longestPause: number,
): Promise<BatchResult> {
  const staged: StagedFile[] = []
  try {
    const received = await withoutLongPause(request, longestPause, () =>
      receiveBatch(request, services, albumId, staged),
    )
    services.metrics.uploadedBytes.inc(staged.reduce((sum, file) => sum + file.size, 0))
    const fields = uploadFields.parse(received)
    if (staged.length === 0) throw noPhotosSent()
    return await uploadBatch(services, albumId, fields, staged)
  } finally {
    await services.staging.discard(staged)
  }
}

/** Ends the connection when no byte of a body arrives for this many ms. Its staged files would block other uploads. */
async function withoutLongPause<T>(
  { raw }: FastifyRequest,
  ms: number,
  receive: () => Promise<T>,
): Promise<T> {
  raw.setTimeout(ms, () => raw.destroy())
  try {
    return await receive()
  } finally {
    raw.setTimeout(0)
    raw.removeAllListeners('timeout')
  }
}

/** Reads the whole form, because clients send the fields after the photos. Each file is added to `staged`, also when
 *  a later part fails.
 *  @returns the fields */
async function receiveBatch(
  request: FastifyRequest,
  { staging, freeDisk }: AppServices,
  albumId: string,
  staged: StagedFile[],
): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  const holders = [`album ${albumId}`, `address ${visitorOf(request).address}`]
  const limits = { ...FORM_LIMITS, fileSize: PHOTO_MAX_BYTES, files: BATCH_SIZE }
  await freeDisk.require()
  for await (const part of readForm(request, limits)) {
    if (part.type === 'field') {
      fields[part.fieldname] = part.value
      continue
    }
    if (part.fieldname !== 'photos') throw unexpectedFile(part.fieldname, 'photos')
    await freeDisk.require()
    const { file: stream, filename } = part
    staged.push(await readPart(staging.receive({ stream, filename, isCut: () => stream.truncated }, holders)))
  }
  return fields
}

export const noPhotosSent = () => new AppError('BAD_REQUEST', 'No photos were sent')
