import type { AppContext } from '../context.ts'
import { countWrong, requireWithin } from './rate-limits.ts'
import { isSlug } from './slug.ts'
import { countWithin, readCount } from './visitor-queries.ts'

/** How long a name stays known to a network. A party lasts a day. */
const KNOWN_SECONDS = 86_400

interface Lookup {
  /** The caller's network address. */
  address: string
  slug: string
}

/** Limits how many names of albums one network can try. Call it before a caller without a right to the album learns
 *  whether the name exists. Each name counts once, and only if no album has it. Above the limit the network still gets
 *  answers about the names that it knows: one guest who guesses does not lock out a hall.
 *  @throws AppError TOO_MANY_REQUESTS, whether the album exists or not */
export async function countLookup(
  deps: Pick<AppContext, 'db' | 'keyring' | 'limits'>,
  lookup: Lookup,
  exists: boolean,
): Promise<void> {
  if (!isSlug(lookup.slug) || (await isKnown(deps, lookup))) return
  const { address } = lookup
  if (exists) await requireWithin(deps, 'unknownName', { address })
  else await countWrong(deps, 'unknownName', { address })
  await remember(deps, lookup, exists ? KNOWN_SECONDS : deps.limits.unknownName.windowSeconds)
}

/** Somebody has entered the album with its password, so its name is known to the network. */
export async function rememberName(deps: Pick<AppContext, 'db' | 'keyring'>, lookup: Lookup): Promise<void> {
  if (await isKnown(deps, lookup)) return
  await remember(deps, lookup, KNOWN_SECONDS)
}

async function remember(
  deps: Pick<AppContext, 'db' | 'keyring'>,
  lookup: Lookup,
  windowSeconds: number,
): Promise<void> {
  await countWithin(deps.db, keyOf(deps, lookup), { windowSeconds, most: 1 })
}

async function isKnown(deps: Pick<AppContext, 'db' | 'keyring'>, lookup: Lookup): Promise<boolean> {
  return (await readCount(deps.db, keyOf(deps, lookup))).count > 0
}

const keyOf = ({ keyring }: Pick<AppContext, 'keyring'>, { address, slug }: Lookup) =>
  keyring.mac('address-hash', `name ${slug} from ${address}`)
