import type { Trx } from '../database/client.ts'
import type { Album } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import type { Keyring } from '../keyring.ts'
import { facesOfLastHour } from './queries.ts'

const HOUR_SECONDS = 3600

/** How many faces may be opted out within an hour: a share of an album's faces, or a number, whichever is more. One caller gets
 *  less than the album allows, so that nobody uses up what the other guests need. Callers are told apart by where they call
 *  from, because a new session costs nothing. */
const SHARE_OF_AN_HOUR = {
  album: { share: 0.05, least: 30 },
  caller: { share: 0.03, least: 20 },
}

/** Each face in a later photo is compared with all people who are kept out, so there are at most so many in an album. */
export const MOST_KEPT_OUT = 500

export const tooManyOptOuts = () =>
  new AppError(
    'TOO_MANY_REQUESTS',
    'Many faces were taken out of this album within the last hour. Please try again in an hour, or ask the organiser.',
    { retryAfter: HOUR_SECONDS },
  )

export const tooManyFaces = (most: number) =>
  new AppError(
    'UNPROCESSABLE_CONTENT',
    `At most ${most} faces can be taken out of this album at once. Please untick some, and take those out in an hour. Or ask the organiser.`,
  )

/** The key under which the opt-outs of one caller are counted.
 *  @param caller where the call comes from */
export const hashOfCaller = (keyring: Keyring, albumId: string, caller: string) =>
  keyring.mac('address-hash', `opt-outs of ${albumId} from ${caller}`)

/** Makes sure that so many more faces may be opted out of an album now.
 *  @param album which is locked, so simultaneous opt-outs cannot all pass
 *  @throws AppError UNPROCESSABLE_CONTENT when they are more than an hour allows, TOO_MANY_REQUESTS when they are too many
 *    together with those of the last hour */
export async function requireWithinShare(
  trx: Trx,
  album: Pick<Album, 'id' | 'faces_found'>,
  callerHash: Buffer,
  faces: number,
): Promise<void> {
  const [ofAlbum, ofCaller] = [SHARE_OF_AN_HOUR.album, SHARE_OF_AN_HOUR.caller].map(({ share, least }) =>
    Math.max(least, Math.floor(share * album.faces_found)),
  ) as [number, number]
  if (faces > ofCaller) throw tooManyFaces(ofCaller)
  const before = await facesOfLastHour(trx, album.id, callerHash)
  if (before.ofAlbum + faces > ofAlbum || before.ofCaller + faces > ofCaller) throw tooManyOptOuts()
}
