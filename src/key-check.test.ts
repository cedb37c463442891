import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAlbum } from './albums/create.ts'
import { changePassword } from './albums/password.ts'
import { COMMAND_LINE } from './audit/audit-log.ts'
import { checkKeys } from './key-check.ts'
import { createKeyring } from './keyring.ts'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'

const [former, next] = ['the first key, long enough for it', 'the second key, long enough for it']

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

const start = (keys: string[], isOnly = false) => checkKeys(database.db, createKeyring(keys), isOnly)

async function albumUnder(key: string) {
  const deps = { db: database.db, keyring: createKeyring([key]) }
  return (await createAlbum(deps, { email: 'a@example.com', albumName: 'Party' }, COMMAND_LINE)).album
}

test('a lost or changed key is named with the albums that need it, in one line', async () => {
  const { slug } = await albumUnder(former)
  await start([former], true)
  for (const isOnly of [true, false])
    await expect(start([next], isOnly)).rejects.toThrow(
      new RegExp(`^SECRET_KEY: a key that is needed is missing: 1 of 1 album.* for ${slug}\\.$`),
    )
})

test('a new key beside the former one opens all, and the former one is needed as long as an album is', async () => {
  const album = await albumUnder(former)
  await start([former])
  await start([next, former])
  await albumUnder(next)
  await start([next, former])
  await expect(start([next])).rejects.toThrow('1 of 2 album passwords')
  await expect(start([former])).rejects.toThrow('1 of 2 album passwords')
  // As npm run album -- password does when the key is lost.
  await changePassword({ db: database.db, keyring: createKeyring([next]) }, album, COMMAND_LINE)
  await start([next])
  await expect(start([former])).rejects.toThrow('2 of 2 album passwords')
})

test('a second process with another key is refused before there is an album', async () => {
  await start([former])
  await start([former])
  await expect(start([next])).rejects.toThrow(/^SECRET_KEY: .* first used with another one\..*$/)
})

test('the only process may take another key while there is no album', async () => {
  await start([former], true)
  await start([next], true)
  await expect(start([former])).rejects.toThrow(/^SECRET_KEY: /)
})
