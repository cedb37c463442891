import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireAlbumOfGuest, requireOwnedAlbum } from '../albums/access.ts'
import { countCall } from '../albums/rate-limits.ts'
import { type BatchResult, uploadBatch } from '../albums/upload.ts'
import { BATCH_SIZE, PHOTO_MAX_BYTES, SELFIE_MAX_BYTES } from '../contract/limits.ts'
import { uploadFields } from '../contract/photos.ts'
import { type SearchOutput, searchFields } from '../contract/search.ts'
import { AppError, HTTP_STATUS } from '../errors.ts'
import type { StagedFile } from '../photos/accept.ts'
import { searchAlbum } from '../search/search-album.ts'
import type { AppServices } from './app.ts'
import { errorBody } from './errors.ts'
import { visitorOf } from './session.ts'
import type { Staging } from './staging.ts'

/** Far more than the calls have, far less than does harm. */
const FORM_LIMITS = { fields: 20, fieldSize: 2_000, fieldNameSize: 100, headerPairs: 20 }

/** The calls that take files. trpc-openapi answers multipart with 415, so they stand beside its wildcard. */
export async function registerUploads(app: FastifyInstance, services: AppServices): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false, limits: FORM_LIMITS })

  app.post<{ Params: { userAlbumId: string } }>('/albums/:userAlbumId/upload-photos', (request, reply) =>
    uploadPhotos(services, request, reply),
  )
  app.post('/search-in-album', (request) => searchInAlbum(services, request))
}

async function uploadPhotos(
  services: AppServices,
  request: FastifyRequest<{ Params: { userAlbumId: string } }>,
  reply: FastifyReply,
) {
  const album = await requireOwnedAlbum(services.db, request.params.userAlbumId, visitorOf(request).grants)
  const { failure, ...result } = await takeBatch(services, album.id, request)
  if (!failure) return result
  return reply.code(HTTP_STATUS[failure.code]).send({ ...errorBody(failure, request), ...result })
}

async function takeBatch(
  services: AppServices,
  albumId: string,
  request: FastifyRequest,
): Promise<BatchResult> {
  const staged: StagedFile[] = []
  try {
    const fields = uploadFields.parse(await receiveBatch(request, services.staging, staged))
    if (staged.length === 0) throw new AppError('BAD_REQUEST', 'No photos were sent')
    return await uploadBatch(services, albumId, fields, staged)
  } finally {
    await services.staging.discard(staged)
  }
}

/** Reads the whole form, adding each file to `staged`: clients send the fields after the photos.
 *  @returns the fields. */
async function receiveBatch(
  request: FastifyRequest,
  staging: Staging,
  staged: StagedFile[],
): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  const limits = { ...FORM_LIMITS, fileSize: PHOTO_MAX_BYTES, files: BATCH_SIZE }
  for await (const part of readForm(request, limits)) {
    if (part.type === 'field') {
      fields[part.fieldname] = part.value
      continue
    }
    if (part.fieldname !== 'photos') throw unexpectedFile(part.fieldname, 'photos')
    staged.push(await whole(staging.receive(part.file, part.filename, () => part.file.truncated)))
  }
  return fields
}

async function searchInAlbum(services: AppServices, request: FastifyRequest): Promise<SearchOutput> {
  const fields: Record<string, unknown> = {}
  let selfie: Buffer | undefined
  const limits = { ...FORM_LIMITS, fileSize: SELFIE_MAX_BYTES, files: 1 }
  for await (const part of readForm(request, limits)) {
    if (part.type === 'field') {
      fields[part.fieldname] = part.value
      continue
    }
    if (part.fieldname !== 'photo') throw unexpectedFile(part.fieldname, 'photo')
    selfie = await whole(part.toBuffer())
    if (part.file.truncated)
      throw new AppError('PAYLOAD_TOO_LARGE', 'Please upload an image smaller than 10MB')
  }
  const { albumName } = searchFields.parse(fields)
  const album = await requireAlbumOfGuest(services.db, albumName, visitorOf(request).grants)
  if (!selfie?.length) throw new AppError('BAD_REQUEST', 'Please choose a selfie')
  const { sessionId, address } = visitorOf(request)
  await countCall(services, 'selfie', { caller: sessionId ?? address, albumId: album.id })
  const origin = services.publicUrl ?? `${request.protocol}://${request.host}`
  const photos = (await searchAlbum(services, album, selfie)).map((photo) => ({
    ...photo,
    url: origin + photo.url,
    thumbUrl: origin + photo.thumbUrl,
    downloadUrl: origin + photo.downloadUrl,
  }))
  return { matchedPhotos: photos.map((photo) => photo.url), photos }
}

type Limits = NonNullable<NonNullable<Parameters<FastifyRequest['parts']>[0]>['limits']>

async function* readForm(request: FastifyRequest, limits: Limits) {
  try {
    yield* request.parts({ limits })
  } catch (error) {
    throw ofForm(error)
  }
}

async function whole<T>(part: Promise<T>): Promise<T> {
  try {
    return await part
  } catch (error) {
    throw ofForm(error)
  }
}

/** A body that ends early or is no form at all is the client's fault, though busboy's errors do not say so. */
function ofForm(error: unknown): unknown {
  if (error instanceof AppError || (error instanceof Error && 'statusCode' in error)) return error
  return new AppError('BAD_REQUEST', 'The form was cut off or is not readable', { cause: error })
}

function unexpectedFile(given: string, expected: string): AppError {
  return new AppError(
    'BAD_REQUEST',
    `Unexpected file field "${given.slice(0, 50)}": send it as "${expected}"`,
  )
}
