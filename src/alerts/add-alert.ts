import { randomUUID } from 'node:crypto'
import { albumNotFound } from '../albums/access.ts'
import { countCall, tooManyCalls } from '../albums/rate-limits.ts'
import type { AppContext } from '../context.ts'
import { ALERT_CONSENT } from '../contract/alert-consent.ts'
import type { AddedAlert } from '../contract/alerts.ts'
import { ALERT_CONFIRM_HOURS } from '../contract/limits.ts'
import type { Album } from '../database/schema.ts'
import { withAlbum } from '../database/transaction.ts'
import { AppError } from '../errors.ts'
import { guestAddressHashes } from '../letters/addresses.ts'
import { isUnwanted } from '../letters/limits.ts'
import { linkToken } from '../letters/links.ts'
import { requestConfirmation } from '../letters/request.ts'
import { mergeAnswers, openSearch } from '../search/search-token.ts'
import { insertAlert } from './queries.ts'
import { sealGuest } from './sealed-alert.ts'

export interface AlertRequest {
  /** The guest's address. */
  email: string
  /** Finds the guest. */
  searchToken: string
  consentVersion?: number | undefined
}

export const addressRefuses = () =>
  new AppError(
    'UNPROCESSABLE_CONTENT',
    'We cannot send these letters to this address. Please check it, or use another one.',
  )

/** Keeps what finds a guest, to write when there are more photos of them. Anybody can enter anybody's address, so the first
 *  letter only asks to confirm it.
 *  @param who makes the call
 *  @throws AppError FORBIDDEN for a token that is not valid, UNPROCESSABLE_CONTENT when the address does not take letters,
 *  TOO_MANY_REQUESTS, NOT_FOUND when the album has been erased */
export async function addAlert(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring' | 'limits'>,
  { id: albumId, password_version }: Album,
  { email, searchToken, consentVersion = ALERT_CONSENT.version }: AlertRequest,
  who: { address: string; sessionId: string | undefined },
): Promise<AddedAlert> {
  const { keyring } = deps
  const searcher = { album: { id: albumId, password_version }, sessionId: who.sessionId ?? '' }
  const { evidence, kept, answers, searchedAt } = openSearch(keyring, searcher, searchToken)
  const person = { evidence, ...mergeAnswers(kept, answers) }
  // Sessions are free, so the network is counted, too: after the session, which uses up nothing of others when it is refused.
  await countCall(deps, 'letter', who)
  if (who.sessionId !== undefined) await countCall(deps, 'letter', { address: who.address })
  const id = randomUUID()
  return await withAlbum(deps.db, albumId, async (trx, album) => {
    if (!album) throw albumNotFound()
    if (await isUnwanted(trx, keyring, email, { albumId, reader: 'guest' })) throw addressRefuses()
    const request = { kind: 'confirm-news' as const, album, email, subjectId: id, asker: who.address }
    const requested = await requestConfirmation(trx, deps, request)
    if ('seconds' in requested) throw tooManyCalls(deps.limits.newAddress, requested.seconds)
    const alert = await insertAlert(
      trx,
      {
        id,
        album_id: albumId,
        address_hash: guestAddressHashes(keyring, albumId, email)[0],
        sealed: sealGuest(keyring, id, { address: email, person }),
        consent_version: consentVersion,
      },
      new Date(searchedAt),
    )
    return {
      confirmBefore: new Date(alert.created_at.getTime() + ALERT_CONFIRM_HOURS * 3_600_000).toISOString(),
      endsAt: alert.ends_at.toISOString(),
      endToken: linkToken(keyring, { use: 'endAlert', id }),
    }
  })
}
