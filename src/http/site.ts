import { access } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, HTTP_STATUS } from '../errors.ts'
import { describeFailure, errorHeaders, sendError } from './errors.ts'

const WEB_BUILD = join(import.meta.dirname, '../../web/dist')

/** The paths the web app has a page for (§2); on any other it shows its 404 page, with that status. */
const PUBLIC_PAGES = [
  '/',
  '/get-started',
  '/upload-success',
  '/albums',
  '/privacy-policy',
  '/terms-of-service',
]
/** Those that search engines are to leave alone. */
const HIDDEN_PAGES = [
  '/bulk-upload',
  '/album/:albumName',
  '/selfie',
  '/selfie/results',
  '/selfie/results/',
  '/selfie/results/:id',
  '/selfie/no-results',
  '/oauth-helper',
  '/gmail-oauth',
]

/** The built web app, and the answer to every address that is nobody's. Without a build (`npm run build`) only
 *  the API answers. */
export async function registerSite(app: FastifyInstance): Promise<void> {
  const isBuilt = await access(join(WEB_BUILD, 'index.html')).then(
    () => true,
    () => false,
  )
  app.setNotFoundHandler((request, reply) => {
    if (isBuilt && wantsPage(request)) return reply.code(404).sendFile('index.html')
    return sendError(new AppError('NOT_FOUND', 'There is nothing at this address'), request, reply)
  })
  if (!isBuilt) return
  await app.register(fastifyStatic, {
    root: WEB_BUILD,
    index: false,
    wildcard: false,
    preCompressed: true,
    // Only what stands under /assets has its content's hash in its name.
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(WEB_BUILD, 'assets'))
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  for (const path of PUBLIC_PAGES) app.get(path, (_request, reply) => reply.sendFile('index.html'))
  for (const path of HIDDEN_PAGES)
    app.get(path, (_request, reply) =>
      reply.header('x-robots-tag', 'noindex, nofollow').sendFile('index.html'),
    )
}

/** Answers a failed request for something that people open in a tab of its own: with the web app, whose page
 *  at that address says what went wrong, or, to anything but a browser's tab, with the error. */
export function answerVisit(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!request.server.hasReplyDecorator('sendFile') || !acceptsHtml(request))
    return sendError(error, request, reply)
  const failure = describeFailure(error, request)
  return reply
    .code(HTTP_STATUS[failure.code])
    .headers(errorHeaders(failure))
    .header('x-robots-tag', 'noindex, nofollow')
    .sendFile('index.html')
}

function wantsPage(request: FastifyRequest): boolean {
  const isCall = /^\/(api|trpc|photos|assets)\//.test(request.url)
  return request.method === 'GET' && !isCall && acceptsHtml(request)
}

function acceptsHtml(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html')
}
