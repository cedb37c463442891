import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../database/client.ts'

const PART_BYTES = 4 * 1024 * 1024

/** The names of those texts that can be read in the files of a database, or in the log of its server (WAL). What is only
 *  in the server's memory is written to the files before. */
export async function readableInFiles(db: Db, texts: Record<string, Buffer>): Promise<string[]> {
  await sql`checkpoint`.execute(db)
  const { rows } = await sql<{ folder: string; oid: string }>`
    select current_setting('data_directory') as folder, oid::text as oid
    from pg_database where datname = current_database()`.execute(db)
  const { folder, oid } = rows[0]!
  const found = new Set<string>()
  for (const place of [join(folder, 'base', oid), join(folder, 'pg_wal')])
    for (const entry of await readdir(place, { withFileTypes: true }))
      if (entry.isFile()) for (const name of await foundIn(join(place, entry.name), texts)) found.add(name)
  return [...found].toSorted()
}

/** A file may disappear meanwhile: it has nothing to read. */
async function foundIn(path: string, texts: Record<string, Buffer>): Promise<string[]> {
  const file = await open(path).catch(() => undefined)
  if (!file) return []
  const longest = Math.max(...Object.values(texts).map(({ length }) => length))
  const found = new Set<string>()
  try {
    const part = Buffer.alloc(PART_BYTES)
    // The parts overlap, so that no text is cut in two.
    for (let at = 0; ; at += PART_BYTES - longest) {
      const { bytesRead } = await file.read(part, 0, PART_BYTES, at)
      const bytes = part.subarray(0, bytesRead)
      for (const [name, text] of Object.entries(texts)) if (bytes.includes(text)) found.add(name)
      if (bytesRead < PART_BYTES) return [...found]
    }
  } finally {
    await file.close()
  }
}
