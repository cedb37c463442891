import { parseArgs } from 'node:util'
import { invite } from '../src/albums/invitations.ts'
import { findAlbum, newestAlbums } from '../src/albums/queries.ts'
import { auditLine } from '../src/audit/audit-line.ts'
import { allEvents, COMMAND_LINE, eventsOfAlbum } from '../src/audit/audit-log.ts'
import * as change from './album-change.ts'
import { optOuts } from './album-opt-outs.ts'
import { show } from './album-show.ts'
import { type CommandContext, openContext, runCommand } from './command-context.ts'

const USAGE = `Usage: npm run album -- COMMAND [NAME] [SETTING VALUE ...]

  list              lists all albums, the newest first
  show NAME         shows an album's link, password, counts and match limits, and the files that a selfie cannot find,
                    with reasons
  password NAME     sets a new password; guests' sessions, photo links and results end at once
  new-key NAME      makes a new owner key; the former key and all owners' sessions end at once, and so do the links
                    with which the owner answers letters. Say where the letters go from now on:
                      --email ADDRESS       for another owner; the former address gets no more letters
                      --same-address        for the same owner
  set NAME SETTING VALUE ...
                    changes settings of an album, one or several at once; listed=off works like listed off:
${change.knownSettings()}
  rename NAME "New name"
                    changes the name that pages and letters show; the link stays the same
  delete-photos NAME FILENAME|ID ...
                    deletes photos for good; asks first, unless you add --yes
  opt-outs NAME     lists the guests who opted out of an album: id, time, faces and state, and nothing about whose they are
  opt-outs NAME undo ID
  opt-outs NAME undo-day YYYY-MM-DD
                    undoes one, or all of a day (in UTC), until they are erased: searches find these faces again
  show-photos NAME  shows the photos again that are hidden because a guest asked
  reindex NAME      lets the workers find every face again, in the face engine that FACES names; --all in place of NAME:
                    of all albums whose faces have not ended
  erase NAME        erases an album with its photos and faces, then checks that nothing remains;
                    asks first, unless you add --yes
  audit [NAME]      prints the audit log of an album, also of an erased one by its former name or its id;
                    without NAME, of everything. The log goes back 90 days
  invite            prints a code with which one album can be created within 30 days, for ALBUM_CREATION=invited;
                    --albums N allows N albums

NAME is the album's link, or its last part. The command reads the same environment variables as npm start. Inframe
may keep running.`

/** Days for which an invitation is valid. */
const INVITATION_DAYS = 30

const COMMANDS: Record<string, change.Act> = {
  show,
  password: change.password,
  'new-key': change.newKey,
  set: change.set,
  rename: change.rename,
  'delete-photos': change.deletePhotos,
  'opt-outs': optOuts,
  'show-photos': change.showPhotos,
  reindex: change.reindex,
  erase: change.erase,
}

/** Those that need words after the name. */
const WITH_WORDS = ['set', 'rename', 'delete-photos']

/** Runs one command.
 *  @param args what comes after `npm run album --`
 *  @throws Error with a message for the person at the terminal */
export async function albumCommand(
  args: string[],
  env: NodeJS.ProcessEnv,
  print: (text: string) => void,
): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      yes: { type: 'boolean', default: false },
      albums: { type: 'string', default: '1' },
      email: { type: 'string' },
      'same-address': { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const [command = '', given, ...rest] = positionals
  const name = given && nameIn(given)
  const isList = command === 'list' && name === undefined
  const isAudit = command === 'audit'
  const isInvite = command === 'invite' && name === undefined
  const isAll = command === 'reindex' && name === undefined && values.all
  const act = COMMANDS[command]
  const isAct = act && name && (command === 'opt-outs' || WITH_WORDS.includes(command) === rest.length > 0)
  if (values.help) return print(USAGE)
  if (!(isList || isAudit || isInvite || isAll || (isAct && !values.all))) throw new Error(USAGE)
  const context = await openContext(env, print)
  try {
    if (isAudit) return await audit(context, name)
    if (isInvite) return await printInvitation(context, values.albums)
    if (isList) return await list(context)
    if (isAll)
      for (const album of await newestAlbums(context.db))
        if (!album.faces_ended_at) await change.reindex(context, album)
    if (!act || !name) return
    const album = await findAlbum(context.db, { slug: name })
    if (!album) throw new Error(`There is no album "${name}". To see all albums, run: npm run album -- list`)
    await act(context, album, { ...values, rest })
  } finally {
    await context.close()
  }
}

/** The name of an album, also from its whole link, and in capitals. */
function nameIn(given: string): string {
  return (/\/album\/([\w-]+)/i.exec(given)?.[1] ?? given).toLowerCase()
}

async function list({ db, print }: CommandContext): Promise<void> {
  const albums = await newestAlbums(db)
  if (albums.length === 0) print('There are no albums yet.')
  for (const { slug, display_name, created_at, photos_stored, photos_settled } of albums)
    print(
      `${created_at.toISOString().slice(0, 10)}  ${slug}  "${display_name}"  ` +
        `${photos_settled} of ${photos_stored} photos indexed`,
    )
}

async function printInvitation(context: CommandContext, albums: string): Promise<void> {
  if (!/^[1-9]\d{0,3}$/.test(albums)) throw new Error('--albums must be a whole number from 1 to 9999.')
  const count = Number(albums)
  const { code, expiresAt } = await invite(context, { albums: count, days: INVITATION_DAYS }, COMMAND_LINE)
  const what = count === 1 ? 'one album' : `${count} albums`
  context.print(`Invitation code: ${code}`)
  context.print(
    `It creates ${what} at ${context.siteUrl}/get-started until ${expiresAt.toISOString().slice(0, 10)}. It is not shown again.`,
  )
  if (context.config.limits.albumCreation !== 'invited')
    context.print(
      `ALBUM_CREATION is ${context.config.limits.albumCreation} here, so codes have no effect. Set it to invited.`,
    )
}

async function audit(context: CommandContext, name: string | undefined): Promise<void> {
  const events = await (name === undefined ? allEvents(context.db) : eventsOfAlbum(context, name))
  for (const event of events) context.print(auditLine(event))
  if (events.length === 0)
    context.print(
      `The audit log has nothing${name === undefined ? '' : ` about "${name}"`} from the last 90 days.`,
    )
}

if (import.meta.main) await runCommand(() => albumCommand(process.argv.slice(2), process.env, console.log))
