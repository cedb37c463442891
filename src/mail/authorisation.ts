import { createHash, randomBytes } from 'node:crypto'
import { PAGES } from '../contract/pages.ts'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import type { Keyring } from '../keyring.ts'
import type { Log } from '../log.ts'
import type { Google } from './google.ts'
import { readPastedCode } from './pasted-code.ts'
import { deleteRequest, findAuthorisation, findRequest, insertRequest, saveAuthorisation } from './queries.ts'

/** How long an authorisation request is valid: the time a maintainer has between the address and the code. */
const REQUEST_LIFETIME_SECONDS = 15 * 60

/** The authorisation of the Gmail account that letters are sent from. */
export interface MailAuthorisation {
  /** Begins an authorisation. @param siteUrl the address of this site, without a slash at its end.
   *  @throws AppError CONFLICT without a Google client. */
  begin(siteUrl: string): Promise<{ authUrl: string; redirectUri: string }>
  /** Completes an authorisation with the code that Google gave the maintainer.
   *  @returns whether Google sent a refresh token; without one nothing changes.
   *  @throws AppError BAD_REQUEST, CONFLICT without a Google client, SERVICE_UNAVAILABLE. */
  complete(input: { code: string; state?: string | undefined }): Promise<boolean>
  /** The account to send from, with a fresh access token; undefined when none is authorised.
   *  @throws AppError SERVICE_UNAVAILABLE when Google is unavailable or has withdrawn the authorisation. */
  sender(): Promise<{ account: string; accessToken: string } | undefined>
  /** Whether letters are currently sent through Gmail. */
  isInUse(): Promise<boolean>
}

export interface MailAuthorisationOptions {
  db: Db
  keyring: Keyring
  log: Log
  /** Undefined: GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are not set. */
  google: Google | undefined
  /** Writes to the console, where the maintainer is asked to look for the refresh token. */
  print?: (text: string) => void
}

export function createMailAuthorisation({
  db,
  keyring,
  log,
  google,
  print = (text) => process.stdout.write(text),
}: MailAuthorisationOptions): MailAuthorisation {
  return {
    async begin(siteUrl) {
      const client = requireClient(google)
      const state = randomBytes(32).toString('base64url')
      const codeVerifier = randomBytes(32).toString('base64url')
      const stateHash = sha256(state)
      const redirectUri = `${siteUrl}${PAGES.gmailOauth.path}`
      const request = {
        state_hash: stateHash,
        code_verifier_cipher: keyring.encrypt('mail-token', codeVerifier, stateHash.toString('hex')),
        redirect_uri: redirectUri,
      }
      await insertRequest(db, request, REQUEST_LIFETIME_SECONDS)
      const codeChallenge = sha256(codeVerifier).toString('base64url')
      return { authUrl: client.authorisationUrl({ redirectUri, state, codeChallenge }), redirectUri }
    },

    async complete(input) {
      const client = requireClient(google)
      const pasted = readPastedCode(input.code)
      // A code that is pasted without its state is exchanged with the newest request's verifier. This is as safe:
      // Google gives tokens only to the verifier whose challenge was in the address that the code was given for.
      // So it refuses a stranger's code, and a code of another request of ours. The state also protects against a
      // browser that a stranger has sent here, which cannot happen when a person pastes the code.
      const state = pasted.state || input.state || undefined
      const request = await findRequest(db, state ? sha256(state) : undefined, REQUEST_LIFETIME_SECONDS)
      if (!request) throw unknownCode()
      const { state_hash: stateHash, redirect_uri: redirectUri } = request
      const codeVerifier = keyring.decrypt(
        'mail-token',
        request.code_verifier_cipher,
        stateHash.toString('hex'),
      )
      const exchanged = await client.exchange({ code: pasted.code, codeVerifier, redirectUri })
      await deleteRequest(db, stateHash)
      const { account, refreshToken, maySendMail } = exchanged
      if (!refreshToken) {
        print('Google gave no refresh token. Nothing has changed. Generate a new OAuth URL and try again.\n')
        return false
      }
      if (!account || !maySendMail)
        throw new AppError(
          'BAD_REQUEST',
          'Google did not give all permissions that sending mail needs. Generate a new address and allow everything that Google asks for.',
        )
      const cipher = keyring.encrypt('mail-token', refreshToken, account)
      await saveAuthorisation(db, { account, refresh_token_cipher: cipher })
      print(
        `Gmail is authorised. The refresh token is stored encrypted and is shown only here: ${refreshToken}\n`,
      )
      return true
    },

    async sender() {
      const stored = await findAuthorisation(db)
      if (!stored) return undefined
      if (!google) {
        log.warn('Gmail is authorised but not used: GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are not set')
        return undefined
      }
      const { account, refresh_token_cipher: cipher } = stored
      return {
        account,
        accessToken: await google.accessToken(keyring.decrypt('mail-token', cipher, account)),
      }
    },

    isInUse: async () => google !== undefined && (await findAuthorisation(db)) !== undefined,
  }
}

function requireClient(google: Google | undefined): Google {
  if (google) return google
  throw noGoogleClient()
}

/** Not SERVICE_UNAVAILABLE: waiting does not help. */
export const noGoogleClient = () =>
  new AppError(
    'CONFLICT',
    'Gmail is not set up. Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET to those of an OAuth client, then restart Inframe.',
  )

export const unknownCode = () =>
  new AppError(
    'BAD_REQUEST',
    'This code does not belong to an authorization of the last 15 minutes. Generate a new address and try again.',
  )

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
