import type { FastifyInstance } from 'fastify'
import { endOwnerLetters } from '../albums/owner-address.ts'
import { endAlert } from '../alerts/alert-answers.ts'
import { PAGES } from '../contract/pages.ts'
import type { AppServices } from './services.ts'
import { visitorOf } from './session.ts'

/** Answers mail programs, which end letters by a POST to the address in a letter's header (RFC 8058 §3.2). People who
 *  open the same address get the page with the button: programs that check the links of a letter open them, too. */
export async function registerOneClick(app: FastifyInstance, services: AppServices): Promise<void> {
  await app.register(async (scope) => {
    // The body, a form, always says the same.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))

    const ENDINGS = [
      [PAGES.stopLetters.path, endOwnerLetters],
      [PAGES.photoLetters.path, endAlert],
    ] as const
    for (const [path, end] of ENDINGS)
      scope.post<{ Querystring: { token?: unknown } }>(path, async (request, reply) => {
        const { address } = visitorOf(request)
        const { hadEnded } = await end(services, { token: String(request.query.token ?? ''), address })
        return reply.header('cache-control', 'no-store').send({ hadEnded })
      })
  })
}
