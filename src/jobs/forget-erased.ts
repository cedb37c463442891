import {
  deleteWrittenLog,
  folderOfDatabase,
  rewriteTable,
  sizeOfTable,
  type TableWrittenAgain,
} from '../database/rewrite-queries.ts'
import { queues } from '../queues/queues.ts'
import { freeBytes } from '../storage/free-disk.ts'
import { defineHandler, type JobDeps } from './define-handler.ts'

/** Bytes of free disk that Postgres needs besides the new copy of the table: its log may have so many. */
const LEFT_FREE = 512e6

/** Keeps the promise that what was erased can no longer be read in the database's files. */
export const forgetErasedRows = defineHandler(queues.forgetErased, {
  async handle({ db }, { table }) {
    const folder = await folderOfDatabase(db)
    if (folder) await requireSpace(db, folder, table)
    await rewriteTable(db, table)
    if (folder) await deleteWrittenLog(db)
  },
})

/** The table exists twice while it is written again. Without space for that, Postgres would stop.
 *  @throws Error when there is not enough */
async function requireSpace(db: JobDeps['db'], folder: string, table: TableWrittenAgain): Promise<void> {
  const needed = (await sizeOfTable(db, table)) + LEFT_FREE
  if ((await freeBytes(folder)) < needed)
    throw new Error(
      `The disk has too little space to overwrite what was erased in ${table}: free ${needed} bytes`,
    )
}
