import type { GivenConsent } from '../contract/consent.ts'
import { CONSENT, PARENTS_CONSENT } from '../contract/wording.ts'
import type { Db } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { albumNotFound } from './access.ts'
import { addConsent } from './visitor-queries.ts'

/** Checks that a person has ticked their consent to a search, where an album asks for that.
 *  @throws AppError BAD_REQUEST */
export function requireTick(albums: Album[], { consent }: GivenConsent): void {
  if (consent !== 'true' && albums.some((album) => album.settings.consentTick === 'on')) throw consentNeeded()
}

/** Counts the consent of a person to a search, with its version and the minute. Nothing is kept about the person.
 *  @throws AppError NOT_FOUND when all albums have been erased meanwhile */
export async function countConsent(
  db: Db,
  albums: Album[],
  { consentVersion = versionIn(albums) }: GivenConsent,
): Promise<void> {
  const ids = albums.map(({ id }) => id)
  if ((await addConsent(db, ids, consentVersion)) === 0) throw albumNotFound()
}

const versionIn = (albums: Album[]) =>
  (albums.some((album) => album.settings.forChildren === 'on') ? PARENTS_CONSENT : CONSENT).version

export const consentNeeded = () =>
  new AppError(
    'BAD_REQUEST',
    'This album asks for your consent. Please tick that you agree, and search again.',
    { reason: 'consent_needed' },
  )
