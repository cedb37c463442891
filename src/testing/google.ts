import { Events, type MutableResponse, type MutableToken, OAuth2Server } from 'oauth2-mock-server'
import { MAIL_SCOPE } from '../mail/google.ts'

export interface TestGoogle {
  endpoints: { oauth2AuthBaseUrl: string; oauth2TokenUrl: string }
  /** What was sent to the token endpoint and answered with tokens or a prepared answer. */
  exchanges: Record<string, string>[]
  /** Changes the answers of the token endpoint, until it is undefined again. */
  answers: ((response: MutableResponse) => void) | undefined
  /** Does what a maintainer's browser does at this address: allows everything.
   *  @returns the address that it is sent back to, with the code. */
  allow(authUrl: string): Promise<string>
  /** Whether an access token was given out here. */
  gave(token: string | undefined): boolean
  close(): Promise<void>
}

export const ACCOUNT = 'letters@example.com'

/** A real OAuth server that checks PKCE, on this machine, in the place of Google's. It takes any other code. */
export async function startGoogle(): Promise<TestGoogle> {
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
  const google: TestGoogle = {
    endpoints: { oauth2AuthBaseUrl: `${base}/authorize`, oauth2TokenUrl: `${base}/token` },
    exchanges: [],
    answers: undefined,
    async allow(authUrl) {
      const response = await fetch(authUrl, { redirect: 'manual' })
      return response.headers.get('location')!
    },
    gave: (token) => token !== undefined && tokens.has(token),
    close: () => server.stop(),
  }
  return google
}
