import { CHANGE_MAX_PHOTOS } from '../../../../src/contract/limits.ts'
import type { ListedPhoto } from './use-owner-photos.ts'

/** Makes a call for any number of photos, as many at once as the service takes.
 *  @returns the answers */
export async function inPortions<Answer>(
  photos: readonly ListedPhoto[],
  call: (photoIds: string[]) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let from = 0; from < photos.length; from += CHANGE_MAX_PHOTOS)
    answers.push(await call(photos.slice(from, from + CHANGE_MAX_PHOTOS).map(({ id }) => id)))
  return answers
}
