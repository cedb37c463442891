import { create as contentDisposition } from 'content-disposition'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countGuests } from '../albums/guest-counts.ts'
import type { AppContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { isPhotoSize, requireValid } from '../photos/links.ts'
import { pictureName } from '../photos/picture-name.ts'
import { linkedPhotos } from '../photos/queries.ts'
import { findRendition } from '../photos/renditions.ts'
import { partOf, partToSend } from './byte-range.ts'
import { callerNetwork, hungUp } from './caller.ts'
import { visitorOf } from './session.ts'
import { answerVisit } from './site.ts'

/** Short, so that browsers' copies expire soon after the password has changed. */
const CACHE_SECONDS = 300

type PhotoRequest = FastifyRequest<{
  Params: { photoId: string; size: string }
  Querystring: Record<string, unknown>
}>

/** The content security policy of a photo. A browser that shows a photo in a separate tab adds inline styles. */
const PICTURE_POLICY = "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** The route of the signed photo links. */
export function registerPhotoFiles(app: FastifyInstance, services: AppContext): void {
  app.route({
    // By default Fastify answers HEAD with the whole file, which it reads and drops.
    method: ['GET', 'HEAD'],
    url: '/photos/:photoId/:size',
    errorHandler: answerVisit,
    handler: (request: PhotoRequest, reply) => sendPhoto(services, request, reply),
  })
}

async function sendPhoto(services: AppContext, request: PhotoRequest, reply: FastifyReply) {
  const { db, storage, links } = services
  const { photoId, size } = request.params
  if (!isPhotoSize(size)) throw new AppError('NOT_FOUND', 'Photo not found')
  // A valid signature also proves that the id is one of ours.
  const link = links.verify(photoId, request.query)
  const [photo] = await linkedPhotos(db, [photoId])
  const isHidden = photo?.state === 'hidden' && link.ownerKeyVersion !== photo.owner_key_version
  if (!photo || isHidden) throw new AppError('NOT_FOUND', 'This photo has been removed')
  requireValid(link, photo)

  const { key, mediaType } = await findRendition(services, photo, size, {
    network: callerNetwork(request.ip),
    signal: hungUp(reply),
  })
  const isFromStart = request.headers.range === undefined || request.headers.range.startsWith('bytes=0-')
  if (size === 'download' && request.method === 'GET' && isFromStart)
    await countGuests(db, photo.album_id, visitorOf(request), () => ({ taken_home: 1 }))
  const disposition = contentDisposition(pictureName(photo.filename, mediaType), {
    type: size === 'download' ? 'attachment' : 'inline',
  })
  const cacheControl = `private, max-age=${CACHE_SECONDS}`
  // A script of the page cannot read what is elsewhere. It asks for the few photos that are shared.
  if (storage.direct && request.headers['sec-fetch-dest'] !== 'empty') {
    const address = await storage.direct.sign(key, { mediaType, disposition, cacheControl })
    // Not cached, since the address that it redirects to expires.
    return reply.header('cache-control', 'no-store').redirect(address, 302)
  }
  const { stream, size: bytes } = await storage.open(key)
  reply.header('content-security-policy', PICTURE_POLICY).header('cache-control', cacheControl)
  // When a rendition is made again, its size changes.
  const range = partToSend(request, reply, { etag: `"${photoId}-${size}-${bytes}"`, size: bytes })
  if (range) reply.header('content-type', mediaType).header('content-disposition', disposition)
  if (range && request.method !== 'HEAD')
    return reply.send(range.end - range.start === bytes ? stream : partOf(stream, range))
  stream.destroy()
  return reply.send()
}
