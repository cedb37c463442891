import type { GivenConsent } from '../contract/consent.ts'
import { CONSENT, CONSENT_NEEDED } from '../contract/wording.ts'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { albumNotFound } from './access.ts'
import { countConsent } from './consent-queries.ts'

/** Takes the consent of a person to a search: checks the tick where an album asks for one, and counts the consent with
 *  its version and the minute. Nothing is kept about the person.
 *  @throws AppError BAD_REQUEST when the tick is missing, NOT_FOUND when all albums have been erased meanwhile */
export async function takeConsent(
  db: Db,
  albums: Album[],
  { consent, consentVersion = CONSENT.version }: GivenConsent,
): Promise<void> {
  if (consent !== 'true' && albums.some((album) => album.consent_tick)) throw consentNeeded()
  const ids = albums.map(({ id }) => id)
  if ((await countConsent(db, ids, consentVersion)) === 0) throw albumNotFound()
}

export const consentNeeded = () => new AppError('BAD_REQUEST', CONSENT_NEEDED)
