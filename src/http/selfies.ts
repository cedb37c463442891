import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasGrant, isOwner, requireAlbumOfGuest, requireOwnedAlbum } from '../albums/access.ts'
import { countCall } from '../albums/rate-limits.ts'
import { SELFIE_MAX_BYTES } from '../contract/limits.ts'
import { type SearchOutput, searchFields } from '../contract/search.ts'
import { type SubmitOutput, submitFields } from '../contract/submissions.ts'
import { AppError } from '../errors.ts'
import { findAlbums } from '../search/queries.ts'
import { searchAlbum } from '../search/search-album.ts'
import { type SearchableAlbum, submitSelfie } from '../search/submit-selfie.ts'
import { FORM_LIMITS, readForm, readPart, unexpectedFile } from './forms.ts'
import { originOf } from './origin.ts'
import type { AppServices } from './services.ts'
import { visitorOf } from './session.ts'

/** Searches one album and answers with the photos found. */
export async function searchInAlbum(services: AppServices, request: FastifyRequest): Promise<SearchOutput> {
  const { fields, selfie } = await receiveSelfie(request)
  const { albumName } = searchFields.parse(fields)
  const album = await requireAlbumOfGuest(services.db, albumName, visitorOf(request).grants)
  if (!selfie?.length) throw noSelfieChosen()
  await countSelfie(services, request, [album.id])
  services.metrics.searches.inc({ kind: 'album' })
  const photos = await searchAlbum(services, album, selfie, originOf(services, request))
  return { matchedPhotos: photos.map((photo) => photo.url), photos }
}

/** Accepts a selfie to be matched, and answers with the address of the page that shows the results. */
export async function submitPhoto(
  services: AppServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SubmitOutput> {
  const { fields, selfie } = await receiveSelfie(request)
  const { userAlbumId } = submitFields.parse(fields)
  const albums = userAlbumId
    ? [{ album: await requireOwnedAlbum(services.db, userAlbumId, visitorOf(request).grants), isOwner: true }]
    : await albumsOfSession(services, request)
  if (!selfie?.length) throw noPhotoSelected()
  await countSelfie(
    services,
    request,
    albums.map(({ album }) => album.id),
  )
  services.metrics.searches.inc({ kind: 'submission' })
  const id = await submitSelfie(services, albums, selfie, closingOf(reply))
  return { redirectTo: id ? `/selfie/results/${id}` : '/selfie/no-results' }
}

/** Aborts when the connection of an answer closes. Fastify's `request.signal` cannot be used for that: it aborts when
 *  the form has been read. */
function closingOf(reply: FastifyReply): AbortSignal {
  const closing = new AbortController()
  reply.raw.once('close', () => closing.abort())
  return closing.signal
}

/** The albums that the session has a grant for.
 *  @throws AppError UNAUTHORIZED when there is none */
async function albumsOfSession(services: AppServices, request: FastifyRequest): Promise<SearchableAlbum[]> {
  const { grants } = visitorOf(request)
  const known = await findAlbums(
    services.db,
    grants.map((grant) => grant.albumId),
  )
  const albums = known
    .filter((album) => hasGrant(album, grants))
    .map((album) => ({ album, isOwner: isOwner(album, grants) }))
  if (albums.length === 0) throw noAlbumOpened()
  return albums
}

function countSelfie(services: AppServices, request: FastifyRequest, albumIds: string[]): Promise<void> {
  const { sessionId, address } = visitorOf(request)
  return countCall(services, 'selfie', { sessionId, address, albumIds })
}

/** Reads a form with one picture. The picture stays in memory. */
async function receiveSelfie(
  request: FastifyRequest,
): Promise<{ fields: Record<string, unknown>; selfie: Buffer | undefined }> {
  const fields: Record<string, unknown> = {}
  let selfie: Buffer | undefined
  for await (const part of readForm(request, { ...FORM_LIMITS, fileSize: SELFIE_MAX_BYTES, files: 2 })) {
    if (part.type === 'field') {
      fields[part.fieldname] = part.value
      continue
    }
    if (part.fieldname !== 'photo') throw unexpectedFile(part.fieldname, 'photo')
    if (selfie) throw tooManySelfies()
    selfie = await readPart(part.toBuffer())
    if (part.file.truncated) throw selfieTooLarge()
  }
  return { fields, selfie }
}

export const noSelfieChosen = () => new AppError('BAD_REQUEST', 'Please choose a selfie')
export const noPhotoSelected = () => new AppError('BAD_REQUEST', 'Please select a photo file')
export const tooManySelfies = () => new AppError('BAD_REQUEST', 'Please send one photo only')
export const selfieTooLarge = () =>
  new AppError('PAYLOAD_TOO_LARGE', 'Please upload an image smaller than 10MB')
export const noAlbumOpened = () => new AppError('UNAUTHORIZED', 'Please open an album first')
