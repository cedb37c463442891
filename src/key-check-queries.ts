import type { Db } from './database/client.ts'

/** What the first process has sealed: see key-check.ts. */
export async function findKeyCheck(db: Db): Promise<Buffer | undefined> {
  const row = await db.selectFrom('key_check').select('sealed').executeTakeFirst()
  return row?.sealed
}

/** @param former what it replaces; of processes that start at the same time, the first one writes it */
export async function writeKeyCheck(db: Db, sealed: Buffer, former: Buffer | undefined): Promise<void> {
  await db
    .insertInto('key_check')
    .values({ sealed })
    .onConflict((conflict) =>
      conflict
        .column('only')
        .doUpdateSet({ sealed })
        .where('key_check.sealed', '=', former ?? sealed),
    )
    .execute()
}

/** The passwords of all albums, sealed, the oldest album first. */
export async function sealedPasswords(db: Db): Promise<{ slug: string; password_cipher: Buffer }[]> {
  return await db
    .selectFrom('albums')
    .select(['slug', 'password_cipher'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
