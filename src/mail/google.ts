import type { CodeChallengeMethod } from 'google-auth-library'
import { AppError } from '../errors.ts'

/** The permission to log in to Gmail's mail server. Smaller scopes only work with Google's HTTP interface. */
export const MAIL_SCOPE = 'https://mail.google.com/'
/** Without these Google does not give the account's address. */
const ACCOUNT_SCOPES = ['openid', 'email']

const TIMEOUT_MS = 10_000

export interface GoogleOptions {
  clientId: string
  clientSecret: string
  /** The authorisation server. Default: Google's. */
  endpoints?: { oauth2AuthBaseUrl: string; oauth2TokenUrl: string } | undefined
}

/** What Google returned for a code. */
export interface ExchangedCode {
  refreshToken: string | undefined
  /** The account's mail address. */
  account: string | undefined
  /** False when the permission was unticked on Google's consent page. */
  maySendMail: boolean
}

export interface Google {
  authorisationUrl(request: { redirectUri: string; state: string; codeChallenge: string }): string
  /** @throws AppError BAD_REQUEST when the code is refused, SERVICE_UNAVAILABLE. */
  exchange(request: { code: string; codeVerifier: string; redirectUri: string }): Promise<ExchangedCode>
  /** A fresh access token. @throws AppError SERVICE_UNAVAILABLE; when Google refuses, it says what to do. */
  accessToken(refreshToken: string): Promise<string>
}

/** Google's authorisation server. Its errors never contain a code, a token or the client's secret. */
export async function createGoogle(options: GoogleOptions): Promise<Google> {
  // Loaded only when used, since it takes 22 MB of memory.
  const { OAuth2Client } = await import('google-auth-library')
  const newClient = () =>
    new OAuth2Client({
      ...options,
      // No retries here: the job, or the maintainer, tries again later.
      transporterOptions: { timeout: TIMEOUT_MS, retryConfig: { retry: 0 } },
    })

  return {
    authorisationUrl({ redirectUri, state, codeChallenge }) {
      return newClient().generateAuthUrl({
        redirect_uri: redirectUri,
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256' as CodeChallengeMethod,
        scope: [MAIL_SCOPE, ...ACCOUNT_SCOPES],
        access_type: 'offline',
        // Without the consent page Google gives a refresh token only the first time.
        prompt: 'consent',
      })
    },

    async exchange({ code, codeVerifier, redirectUri }) {
      const request = { code, codeVerifier, redirect_uri: redirectUri }
      const answer = await newClient()
        .getToken(request)
        .catch((error: unknown) => {
          throw exchangeFailure(error, redirectUri)
        })
      const { refresh_token, id_token, scope } = answer.tokens
      return {
        refreshToken: refresh_token ?? undefined,
        account: id_token ? accountOf(id_token) : undefined,
        maySendMail: (scope ?? '').split(' ').includes(MAIL_SCOPE),
      }
    },

    async accessToken(refreshToken) {
      const client = newClient()
      client.setCredentials({ refresh_token: refreshToken })
      const { token } = await client.getAccessToken().catch((error: unknown) => {
        throw refreshFailure(error)
      })
      if (!token) throw googleUnavailable(new Error('Google answered without an access token'))
      return token
    },
  }
}

/** The mail address in an ID token. Its signature is not checked, since the token comes directly from the token
 *  endpoint (OpenID Connect Core 1.0, §3.1.3.7, rule 6). */
function accountOf(idToken: string): string | undefined {
  try {
    const claims = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString())
    return typeof claims.email === 'string' ? claims.email : undefined
  } catch {
    // Not rethrown: the parser's error would put the token into the log.
    return undefined
  }
}

function exchangeFailure(error: unknown, redirectUri: string): AppError {
  const { refusal, cause } = readFailure(error)
  if (!refusal) return googleUnavailable(cause)
  if (isUnknownClient(refusal)) return unknownClient(cause)
  if (refusal === 'redirect_uri_mismatch')
    return new AppError(
      'BAD_REQUEST',
      `Google does not know the redirect address ${redirectUri}. Register it with the OAuth client.`,
    )
  if (refusal === 'invalid_grant') return codeRefused()
  return new AppError('BAD_REQUEST', `Google refused the authorization code (${refusal}).`)
}

function refreshFailure(error: unknown): AppError {
  const { refusal, cause } = readFailure(error)
  if (!refusal) return googleUnavailable(cause)
  return isUnknownClient(refusal) ? unknownClient(cause) : authorisationRefused(cause)
}

/** The error for a stored authorisation that Google or its mail server no longer accepts. */
export function authorisationRefused(cause: unknown): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'Gmail refuses the stored authorisation. Letters wait until a maintainer authorises the account again at /gmail-oauth.',
    { cause },
  )
}

function isUnknownClient(refusal: string): boolean {
  return /^(invalid|unauthorized|deleted|disabled)_client$/.test(refusal)
}

function unknownClient(cause: Error): AppError {
  return new AppError(
    'SERVICE_UNAVAILABLE',
    'Google does not accept GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET. Compare them with the OAuth client in the Google console.',
    { cause },
  )
}

export const codeRefused = () =>
  new AppError(
    'BAD_REQUEST',
    'Google refused the authorization code. It is wrong, expired or already used. Generate a new address and try again.',
  )

export const googleUnavailable = (cause?: unknown) =>
  new AppError('SERVICE_UNAVAILABLE', 'Google is currently unavailable. Please try again in a moment.', {
    cause,
    retryAfter: 30,
  })

/** Reads an error without its request, because the request contains all the secrets. `refusal` is Google's error
 *  code (RFC 6749, §5.2), or undefined when there was no answer or the answer is not a refusal. */
function readFailure(error: unknown): { refusal: string | undefined; cause: Error } {
  const { response, code, message } = error as Error & {
    code?: unknown
    response?: { status: number; data?: { error?: unknown } }
  }
  if (!response) return { refusal: undefined, cause: Object.assign(new Error(message), { code }) }
  const { status, data } = response
  const word = typeof data?.error === 'string' && /^[a-z_]{1,40}$/.test(data.error) ? data.error : undefined
  const cause = new Error(`Google answered ${status} ${word ?? ''}`.trim())
  if (status === 429 || status >= 500) return { refusal: undefined, cause }
  return { refusal: word ?? `status ${status}`, cause }
}
