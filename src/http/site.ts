import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findAlbum } from '../albums/queries.ts'
import { AppError, HTTP_STATUS } from '../errors.ts'
import { describeFailure, errorHeaders, sendError } from './errors.ts'
import { originOf } from './origin.ts'
import { renderPage } from './page-html.ts'
import type { AppServices } from './services.ts'
import { albumPage, NOT_FOUND_PAGE, PHOTO_TROUBLE_PAGE, SITE_PAGES, type SitePage } from './site-pages.ts'
import { readWebBuild } from './web-build.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Absent without a build of the web app. */
    sendSitePage?: (request: FastifyRequest, reply: FastifyReply, page: SitePage) => Promise<FastifyReply>
  }
}

const WEB_BUILD = join(import.meta.dirname, '../../web/dist')
/** Good enough for a page of 30 KB, in a tenth of the time that the highest takes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** The built web app, and the answer to every address that is nobody's. Without a build (`npm run build`) only
 *  the API answers. */
export async function registerSite(app: FastifyInstance, services: AppServices): Promise<void> {
  const build = await readWebBuild(WEB_BUILD)
  app.setNotFoundHandler((request, reply) => {
    if (build && wantsPage(request)) return send(request, reply.code(404), NOT_FOUND_PAGE, '404')
    return sendError(new AppError('NOT_FOUND', 'There is nothing at this address'), request, reply)
  })
  if (!build) return
  app.decorate('sendSitePage', send)

  await app.register(fastifyStatic, {
    root: WEB_BUILD,
    index: false,
    wildcard: false,
    globIgnore: ['index.html'],
    preCompressed: true,
    // Only what stands under /assets has its content's hash in its name.
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(WEB_BUILD, 'assets'))
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  for (const [path, page] of Object.entries(SITE_PAGES))
    app.get(path, async (request, reply) => {
      const { albumName } = request.params as { albumName?: string }
      return send(request, reply, albumName ? await pageOfAlbum(services, albumName, page) : page, path)
    })

  function send(request: FastifyRequest, reply: FastifyReply, page: SitePage, drawn?: string) {
    if (page.hidden) reply.header('x-robots-tag', 'noindex, nofollow')
    const path = request.url.split('?')[0]!
    const place = { origin: originOf(services, request), path }
    return sendPage(request, reply, renderPage(build!, services, { page, ...(drawn && { drawn }), ...place }))
  }
}

/** The page comes even when the database does not answer: it then says so itself. */
async function pageOfAlbum(services: AppServices, albumName: string, page: SitePage): Promise<SitePage> {
  try {
    const album = await findAlbum(services.db, { slug: albumName })
    return album ? albumPage(album.display_name) : page
  } catch (error) {
    services.log.warn({ err: error }, "An album's page was sent without its name")
    return page
  }
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, page: string): Promise<FastifyReply> {
  const etag = `W/"${createHash('sha256').update(page).digest('base64url').slice(0, 22)}"`
  reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .header('vary', 'accept-encoding')
    .header('etag', etag)
  if (reply.statusCode === 200 && request.headers['if-none-match'] === etag) return reply.code(304).send()
  const accepted = acceptedEncodings(request)
  if (accepted.has('br'))
    return reply.header('content-encoding', 'br').send(await promisify(brotliCompress)(page, BROTLI))
  if (accepted.has('gzip')) return reply.header('content-encoding', 'gzip').send(await promisify(gzip)(page))
  return reply.send(page)
}

/** Those that the client names, but for what it gives the weight zero. */
function acceptedEncodings(request: FastifyRequest): Set<string> {
  const header = String(request.headers['accept-encoding'] ?? '')
  const entries = header.split(',').map((entry) =>
    entry
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/),
  )
  return new Set(entries.filter(([, weight]) => Number(weight ?? 1) > 0).map(([name]) => name!))
}

/** Answers a failed request for something that people open in a tab of its own: with the web app, whose page
 *  at that address says what went wrong, or, to anything but a browser's tab, with the error. */
export function answerVisit(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { sendSitePage } = request.server
  if (!sendSitePage || !acceptsHtml(request)) return sendError(error, request, reply)
  const failure = describeFailure(error, request)
  reply.code(HTTP_STATUS[failure.code]).headers(errorHeaders(failure))
  return sendSitePage(request, reply, PHOTO_TROUBLE_PAGE)
}

function wantsPage(request: FastifyRequest): boolean {
  const isCall = /^\/(api|trpc|photos|assets)\//.test(request.url)
  const reads = request.method === 'GET' || request.method === 'HEAD'
  return reads && !isCall && acceptsHtml(request)
}

function acceptsHtml(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html')
}
