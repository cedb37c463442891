import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countLookup } from '../albums/name-lookups.ts'
import { findAlbum } from '../albums/queries.ts'
import type { AppContext } from '../context.ts'
import { HTTP_STATUS, hasCode } from '../errors.ts'
import { originOf } from './caller.ts'
import { sendCurrent } from './compression.ts'
import { errorHeaders, nothingHere, reportFailure, sendError } from './errors.ts'
import { renderPage } from './page-html.ts'
import { visitorOf } from './session.ts'
import { albumPage, MISSING_PAGE, SITE_PAGES, type SitePage, TROUBLE_PAGE } from './site-pages.ts'

/** The address of a page that was meant by one that a mail program, a messenger or a finger has changed: with doubled
 *  slashes, capitals, `%23` in the place of `#`, or something behind the album's name that no name can contain, such as
 *  a full stop, a bracket or `&fbclid=…`.
 *  @param url path and query
 *  @returns path, query and fragment; the same when nothing was changed */
export function meantAddress(url: string): string {
  const [, whole, query] = /^([^?]*)(.*)$/s.exec(url)!
  const [encoded, fragment] = splitAt(whole!.replace(/\/{2,}/g, '/'), /%23/)
  const path = albumPath(encoded) ?? encoded
  // In a fragment that was encoded, its own = was, too.
  return (
    path +
    query +
    (fragment === undefined ? '' : `#${fragment.replaceAll('%3D', '=').replaceAll('%3d', '=')}`)
  )
}

function splitAt(text: string, mark: RegExp): [string, string | undefined] {
  const at = text.search(mark)
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 3)]
}

/** @returns undefined when it is not the path of an album's page, or names no album */
function albumPath(path: string): string | undefined {
  const [, name, rest] = /^\/album\/([a-z0-9-]+)(.*)$/is.exec(path) ?? []
  if (!name || rest!.lastIndexOf('/') > 0) return undefined
  return `/album/${name.toLowerCase()}${rest!.startsWith('/') ? '/' : ''}`
}

/** An address in which every % stands for itself when one of them begins no escape. Otherwise it would be no address. */
export function withWholeEscapes(url: string): string {
  try {
    decodeURIComponent(url)
    return url
  } catch {
    return url.replaceAll('%', '%25')
  }
}

declare module 'fastify' {
  interface FastifyReply {
    /** Sends a page of the web app. It is missing when the web app has not been built. */
    sendPage(page: SitePage): Promise<FastifyReply>
  }
}

/** Only this page tells a messaging app the album's name. */
const ALBUM_PATH = '/album/:albumName'
const WEB_BUILD = join(import.meta.dirname, '../../web/dist')

/** Serves the built web app, and answers every address that has no route. Without a build (`npm run build`) only the
 *  API answers. */
export async function registerSite(app: FastifyInstance, services: AppContext): Promise<void> {
  const template = await readTemplate()
  app.setNotFoundHandler((request, reply) => {
    if (template && wantsPage(request)) return reply.code(404).sendPage(MISSING_PAGE)
    return sendError(nothingHere(), request, reply)
  })
  if (!template) return

  // Before any route: what stands behind a # is a secret, and no call and no line of a log may have it in a path.
  app.addHook('onRequest', async (request, reply) => {
    if (!wantsPage(request)) return
    const meant = meantAddress(request.url)
    if (meant === request.url) return
    // Browsers keep a permanent redirect, with the secret in it.
    if (meant.includes('#')) reply.header('cache-control', 'no-store')
    return reply.redirect(meant, meant.includes('#') ? 302 : 301)
  })
  app.decorateReply('sendPage', function (page) {
    if (page.hidden) this.header('x-robots-tag', 'noindex, nofollow')
    const path = this.request.url.split('?')[0]!
    const place = { origin: originOf(services, this.request), path }
    const html = renderPage(template, services, { page, ...place })
    return sendCurrent(this.request, this, html, 'text/html; charset=utf-8')
  })
  await app.register(fastifyStatic, {
    root: WEB_BUILD,
    index: false,
    wildcard: false,
    globIgnore: ['index.html'],
    preCompressed: true,
    // Only files under /assets have a hash of their content in their name.
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(WEB_BUILD, 'assets'))
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  for (const [path, page] of SITE_PAGES) {
    app.get(path, async (request, reply) => {
      const { albumName } = request.params as { albumName?: string }
      const isAlbum = albumName !== undefined && path === ALBUM_PATH
      return reply.sendPage(isAlbum ? await pageOfAlbum(services, request, albumName, page) : page)
    })
    if (path !== '/') app.get(`${path}/`, (request, reply) => reply.redirect(withoutSlash(request.url), 301))
  }
}

/** index.html of the built web app; null when it has not been built. */
async function readTemplate(): Promise<string | null> {
  try {
    return await readFile(join(WEB_BUILD, 'index.html'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return null
  }
}

/** The address of a page without the slash at its end. @param url path and query. */
function withoutSlash(url: string): string {
  return url.replace(/\/(?=$|\?)/, '')
}

/** The page is sent even when the database is unavailable. The page then says so itself. */
async function pageOfAlbum(
  services: AppContext,
  request: FastifyRequest,
  albumName: string,
  page: SitePage,
): Promise<SitePage> {
  try {
    const album = await findAlbum(services.db, { slug: albumName })
    const { grants, address } = visitorOf(request)
    // The grant may have ended: the page's first call says whether it has.
    const hasEntered = grants.some(({ albumId }) => albumId === album?.id)
    if (!hasEntered) await countLookup(services, { address, slug: albumName }, album !== undefined)
    if (!album) return page
    return albumPage(album.display_name, hasEntered)
  } catch (error) {
    // The page's first call is answered the same, and the page then says so.
    if (hasCode(error, 'TOO_MANY_REQUESTS')) return page
    services.log.warn({ err: error }, "An album's page was sent without its name")
    return page
  }
}

/** Answers a failed request for something that people open in a tab of its own. A browser's tab gets the web app,
 *  whose page at that address says what went wrong. Any other client gets the error. */
export function answerVisit(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  if (!request.server.hasReplyDecorator('sendPage') || !acceptsHtml(request))
    return sendError(error, request, reply)
  const failure = reportFailure(error, request)
  return reply.code(HTTP_STATUS[failure.code]).headers(errorHeaders(failure)).sendPage(TROUBLE_PAGE)
}

/** Whether somebody opens an address in a browser's tab, and it is none of a call or a file. */
export function wantsPage(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): boolean {
  const isCall = /^\/(api|trpc|photos|zips|assets)\//.test(request.url!)
  const reads = request.method === 'GET' || request.method === 'HEAD'
  return reads && !isCall && acceptsHtml(request)
}

function acceptsHtml(request: Pick<IncomingMessage, 'headers'>): boolean {
  return (request.headers.accept ?? '').includes('text/html')
}
