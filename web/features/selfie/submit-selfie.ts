import type { SubmitOutput } from '../../../src/contract/submissions.ts'
import { selfieForm as texts } from '../../../src/texts/english/submissions.ts'
import { serverMessage } from '../../lib/failure.ts'
import { postMultipart } from '../../lib/multipart.ts'
import { sentSelfie } from '../photos/as-sent.ts'
import { appendConsent, type Consent } from '../photos/use-consent.ts'

/** Submits a selfie. Throws RequestFailure.
 *  @returns the page of this site to show next */
export async function submitSelfie(selfie: File, userAlbumId: string, consent: Consent): Promise<string> {
  const form = new FormData()
  // The texts come first: the service reads the body as it arrives.
  form.append('source', 'homepage')
  form.append('userAlbumId', userAlbumId)
  appendConsent(form, consent)
  form.append('photo', await sentSelfie(selfie), selfie.name)
  const { redirectTo } = await postMultipart<SubmitOutput>('/api/submit-photo', form)
  return ownPath(redirectTo)
}

/** Refuses addresses of other sites, and addresses that run a script. */
function ownPath(address: unknown): string {
  const url = typeof address === 'string' ? new URL(address, window.location.href) : undefined
  if (url?.origin !== window.location.origin) throw new Error('The answer is not an address of this site')
  return url.pathname + url.search + url.hash
}

/** The toast's text when a selfie could not be submitted (§8). */
export function submitFailure(error: unknown): string {
  return serverMessage(error) || texts.notSubmitted
}
