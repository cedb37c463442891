import { createHash, randomBytes } from 'node:crypto'
import { type Actor, recordEvent } from '../audit/audit-log.ts'
import type { AppContext } from '../context.ts'
import { PAGES } from '../contract/pages.ts'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { insertSetupLink, takeSetupLink } from './queries.ts'

/** How long a set-up link is valid, and how long the session that it opens has the maintainer's rights. */
export const SETUP_SECONDS = 24 * 3600

/** Makes a link that gives one browser the maintainer's rights, once. It is in Postgres, so every process accepts the
 *  links of all others. Only a hash of its token is stored.
 *  @param siteUrl the address of this site, without a slash at its end
 *  @returns the address. The token is behind the `#`, so that no log and no proxy receives it. */
export async function createSetupLink(db: Db, siteUrl: string): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  await insertSetupLink(db, hashOf(token), SETUP_SECONDS)
  return `${siteUrl}${PAGES.gmailOauth.path}#setup=${token}`
}

/** Uses up the set-up link with this token.
 *  @returns false for a token that is wrong, used or expired */
export async function redeemSetupLink(
  { db, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  token: string,
  by: Actor,
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    const isTaken = await takeSetupLink(trx, hashOf(token), SETUP_SECONDS)
    if (isTaken) await recordEvent({ db: trx, keyring }, { event: 'maintainer entered', by })
    return isTaken
  })
}

export const setupLinkEnded = () =>
  new AppError(
    'UNAUTHORIZED',
    'This set-up link was already used, or it is more than a day old. For a new one, run npm run setup-link where Inframe is installed.',
  )

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
