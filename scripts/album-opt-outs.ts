import { COMMAND_LINE } from '../src/audit/audit-log.ts'
import { OPT_OUTS_LISTED } from '../src/contract/limits.ts'
import type { Db } from '../src/database/client.ts'
import type { Album, OptOut } from '../src/database/schema.ts'
import { optOutsOfAlbum, optOutsOfDay, optOutsWithId } from '../src/opt-outs/queries.ts'
import { undoOptOuts } from '../src/opt-outs/undo-or-erase.ts'
import type { Options } from './album-change.ts'
import { type CommandContext, counted } from './command-context.ts'

/** Digits of an opt-out's id that the list shows, and that name it. */
const SHORT_ID = 8

/** Lists the opt-outs of an album, or undoes some of them for the maintainer.
 *  @param rest what comes after the album's name: nothing, `undo ID` or `undo-day YYYY-MM-DD`
 *  @throws Error with a message for the person at the terminal */
export async function optOuts(context: CommandContext, album: Album, { rest }: Options): Promise<void> {
  const [action, wanted = '', ...more] = rest
  if (action === undefined) return await list(context, album)
  if (more.length > 0 || !(action === 'undo' || action === 'undo-day'))
    throw new Error(`After the name comes nothing, "undo ID", or "undo-day YYYY-MM-DD".`)
  await undo(context, album, await (action === 'undo' ? withId : ofDay)(context.db, album, wanted))
}

async function list({ db, print }: CommandContext, album: Album): Promise<void> {
  const all = await optOutsOfAlbum(db, album.id)
  if (all.length === 0) print(`Nobody has opted out of "${album.display_name}".`)
  for (const { id, created_at, faces, state, erase_at } of all)
    print(
      `${id.slice(0, SHORT_ID)}  ${created_at.toISOString()}  ${counted(faces, 'face')}  ${state}` +
        (state === 'active' ? `, erased on ${erase_at.toISOString()} at the earliest` : ''),
    )
  if (all.length === OPT_OUTS_LISTED)
    print(`These are ${OPT_OUTS_LISTED}: first those that can be undone, and of all the newest.`)
}

async function withId(db: Db, album: Album, id: string): Promise<OptOut[]> {
  const found = id.length >= SHORT_ID ? await optOutsWithId(db, album.id, id) : []
  if (found.length !== 1) throw new Error(`"${id}" names no opt-out of this album. Take an id from the list.`)
  return found
}

async function ofDay(db: Db, album: Album, day: string): Promise<OptOut[]> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new Error('The day must look like 2026-06-20. Days are in UTC.')
  return await optOutsOfDay(db, album.id, day)
}

async function undo(context: CommandContext, album: Album, optOuts: OptOut[]): Promise<void> {
  const ids = optOuts.map(({ id }) => id)
  const changed = await undoOptOuts(context, album, ids, COMMAND_LINE)
  const faces = optOuts.filter(({ id }) => changed.includes(id)).reduce((sum, one) => sum + one.faces, 0)
  context.print(`Opt-outs undone: ${changed.length}. Searches find their faces again: ${faces}.`)
  if (changed.length > 0)
    context.print(
      'These people asked not to be found, and may have a right to it by law. It is in the audit log.',
    )
  const left = optOuts.length - changed.length
  if (left > 0) context.print(`Left as they were, because they are erased or were undone before: ${left}.`)
}
