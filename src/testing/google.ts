import { Events, type MutableResponse, type MutableToken, OAuth2Server } from 'oauth2-mock-server'
import { MAIL_SCOPE } from '../mail/google.ts'

export type TestGoogle = Awaited<ReturnType<typeof startGoogle>>

export const ACCOUNT = 'letters@example.com'

/** Starts a local OAuth server instead of Google's. It checks PKCE. */
export async function startGoogle() {
  const server = new OAuth2Server()
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')
  const tokens = new Set<string>()
  server.service.on(Events.BeforeTokenSigning, ({ payload }: MutableToken) => {
    payload.email = ACCOUNT
  })
  server.service.on(Events.BeforeResponse, (response: MutableResponse, request: { body: unknown }) => {
    google.exchanges.push({ ...(request.body as Record<string, string>) })
    if (typeof response.body === 'object' && response.body) response.body.scope = `openid email ${MAIL_SCOPE}`
    google.answers?.(response)
    if (typeof response.body === 'object' && response.body) tokens.add(String(response.body.access_token))
  })
  const base = `http://127.0.0.1:${server.address().port}`
  const google = {
    endpoints: { oauth2AuthBaseUrl: `${base}/authorize`, oauth2TokenUrl: `${base}/token` },
    /** The requests to the token endpoint that were answered. */
    exchanges: [] as Record<string, string>[],
    /** Changes the answers of the token endpoint while it is set. */
    answers: undefined as ((response: MutableResponse) => void) | undefined,
    /** Acts as a maintainer who opens this address and allows everything.
     *  @returns the address that the browser is sent back to, with the code. */
    async allow(authUrl: string): Promise<string> {
      const response = await fetch(authUrl, { redirect: 'manual' })
      return response.headers.get('location')!
    },
    /** Whether this server issued an access token. */
    issued: (token: string | undefined) => token !== undefined && tokens.has(token),
    close: () => server.stop(),
  }
  return google
}
