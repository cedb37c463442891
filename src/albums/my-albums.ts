import type { AppContext } from '../context.ts'
import { requestMyAlbums } from '../letters/request.ts'
import { countCall, tooManyCalls } from './rate-limits.ts'

/** Sends the ways into all albums of an address to it. The caller does not learn whether there are any: a job looks for them.
 *  @param by `address` is their network
 *  @throws AppError TOO_MANY_REQUESTS */
export async function sendMyAlbums(
  deps: Pick<AppContext, 'db' | 'jobs' | 'keyring' | 'limits'>,
  email: string,
  by: { address: string; sessionId: string | undefined },
): Promise<void> {
  await countCall(deps, 'letter', by)
  const asked = { email, asker: by.address }
  const seconds = await deps.db.transaction().execute((trx) => requestMyAlbums(trx, deps, asked))
  if (seconds > 0) throw tooManyCalls(deps.limits.newAddress, seconds)
}
