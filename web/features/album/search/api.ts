import { ANSWERED_MAX_FACES } from '../../../../src/contract/limits.ts'
import type { SearchOutput } from '../../../../src/contract/search.ts'
import { searchFailures as texts } from '../../../../src/texts/english/search.ts'
import { failureText } from '../../../lib/failure.ts'
import { postMultipart } from '../../../lib/multipart.ts'
import type { ToastContent } from '../../../ui/toast-store.ts'
import { sentSelfie } from '../../photos/as-sent.ts'
import { type Agreed, appendConsent } from '../../photos/consent.tsx'
import { facesAnswered, type Person } from './person.ts'

/** Finds the photos of a person. Each selfie is sent once. */
export async function searchAlbum(albumName: string, person: Person, consent: Agreed): Promise<SearchOutput> {
  const { selfies, faces, answers, searchToken, isToRemember, other } = person
  const form = new FormData()
  // The fields come first: the service reads the body as it arrives.
  form.append('albumName', albumName)
  form.append('faces', faces.join())
  // Without these two, those that the token has count.
  if (!person.isOfFormerVisit) {
    form.append('confirmed', facesAnswered(answers, true).slice(-ANSWERED_MAX_FACES).join())
    form.append('rejected', facesAnswered(answers, false).slice(-ANSWERED_MAX_FACES).join())
  }
  appendConsent(form, consent)
  if (isToRemember) form.append('remember', 'true')
  if (searchToken) form.append('searchToken', searchToken)
  if (other) {
    form.append('combine', other.combine)
    if (other.searchToken) form.append('otherSearchToken', other.searchToken)
    else if (other.selfie) {
      form.append('otherFaces', String(other.face))
      form.append('otherPhoto', await sentSelfie(other.selfie), other.selfie.name)
    }
  }
  // Of selfies that have been sent before, the token says everything.
  if (!searchToken) for (const selfie of selfies) form.append('photo', await sentSelfie(selfie), selfie.name)
  return await postMultipart<SearchOutput>('/api/search-in-album', form)
}

/** Some services answer so, with the status of an album that is gone (§8). */
export function hasFoundNothing(error: unknown): boolean {
  return /no (photos|matches) found/i.test(failureText(error, ''))
}

/** The toast of §8 for a search that failed. */
export function searchFailure(error: unknown): ToastContent {
  return hasFoundNothing(error)
    ? { title: texts.none, description: texts.noneText }
    : { title: texts.failed, description: failureText(error, texts.failed), tone: 'error' }
}
