import { decryptPassword } from './albums/password.ts'
import { ConfigError } from './config.ts'
import type { Db } from './database/client.ts'
import { findKeyCheck, sealedPasswords, writeKeyCheck } from './key-check-queries.ts'
import type { Keyring } from './keyring.ts'

const CONTEXT = 'inframe'
/** Names of albums in a message. */
const MOST_NAMES = 5

/** Checks that the keys are those of this database: they open every album's password, and what the first process has
 *  sealed, by which a second process is known that has another key before there are albums. Once every album has a
 *  password under these keys, the former ones are no longer asked for.
 *  @param isOnly whether no other process uses the database; then nothing is lost while there are no albums
 *  @throws ConfigError in one line */
export async function checkKeys(db: Db, keyring: Keyring, isOnly: boolean): Promise<void> {
  const albums = await sealedPasswords(db)
  const closed = albums.filter((album) => !opens(() => decryptPassword(keyring, album)))
  if (closed.length > 0)
    throw missingKey(
      `${closed.length} of ${albums.length} album passwords cannot be read.`,
      ` If it is lost, set new passwords with npm run album -- password NAME, for ${namesOf(closed)}.`,
    )
  const sealed = await findKeyCheck(db)
  if (sealed && opens(() => keyring.decrypt('key-check', sealed, CONTEXT))) return
  if (sealed && albums.length === 0 && !isOnly)
    throw missingKey('this database was first used with another one.', ' Or begin with an empty database.')
  await writeKeyCheck(db, keyring.encrypt('key-check', 'ok', CONTEXT), sealed)
  // Another process may have been faster, with another key.
  if (!sealed) await checkKeys(db, keyring, isOnly)
}

function missingKey(why: string, otherwise: string): ConfigError {
  return new ConfigError(
    `SECRET_KEY: a key that is needed is missing: ${why} Put it back: SECRET_KEY=new,former, or the file secret-key in DATA_DIR.${otherwise}`,
  )
}

function namesOf(albums: { slug: string }[]): string {
  const names = albums.slice(0, MOST_NAMES).map(({ slug }) => slug)
  return [...names, ...(albums.length > MOST_NAMES ? ['others'] : [])].join(', ')
}

function opens(open: () => string): boolean {
  try {
    open()
    return true
  } catch {
    return false
  }
}
