import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { coverageOf } from '../src/albums/coverage.ts'
import { eraseAlbum } from '../src/albums/erase.ts'
import { invite } from '../src/albums/invitations.ts'
import { changePassword, decryptPassword } from '../src/albums/password.ts'
import { findAlbum, newestAlbums } from '../src/albums/queries.ts'
import { reindexAlbum } from '../src/albums/reindex.ts'
import { renewOwnerKey } from '../src/albums/renew-owner-key.ts'
import { settingsOf } from '../src/albums/settings.ts'
import { countConfirmedAlerts } from '../src/alerts/alert-queries.ts'
import { auditLine } from '../src/audit/audit-line.ts'
import { allEvents, COMMAND_LINE, eventsOfAlbum } from '../src/audit/audit-log.ts'
import { siteUrlOf } from '../src/context.ts'
import { emailAddress } from '../src/contract/albums.ts'
import { ownerLink } from '../src/contract/owner-link.ts'
import type { Album } from '../src/database/schema.ts'
import { hasEndedLetters } from '../src/letters/limits.ts'
import { optOutsLink } from '../src/letters/links.ts'
import { showAllPhotos } from '../src/opt-outs/hide-photos.ts'
import { optOutsOfAlbum } from '../src/opt-outs/opt-out-queries.ts'
import { peopleKeptOut } from '../src/photos/opted-out-queries.ts'
import { pluralOf } from '../src/texts/numbers.ts'
import { optOuts } from './album-opt-outs.ts'
import { deletePhotos, rename } from './album-photos.ts'
import { setSettings } from './album-settings.ts'
import { type CommandContext, openContext } from './command-context.ts'
import { limitLines } from './limit-lines.ts'

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
                    changes settings of an album, one or several at once; listed=no works like listed no:
                      listed yes|no         whether the public list shows the album
                      browsing on|off       whether guests may see all photos without a selfie
                      consentTick on|off    whether guests tick that they agree before each search
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
                    of all albums
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

interface Options {
  /** What comes after the name. */
  rest: string[]
  yes: boolean
  email: string | undefined
  sameAddress: boolean
}

const COMMANDS: Record<string, (context: CommandContext, album: Album, options: Options) => Promise<void>> = {
  show,
  password,
  'new-key': newKey,
  set: (context, album, { rest }) => setSettings(context, album, rest),
  rename: (context, album, { rest }) => rename(context, album, rest),
  'delete-photos': (context, album, { rest, yes }) =>
    deletePhotos(
      context,
      album,
      rest,
      async (what) => yes || (await confirmed(`deletes ${what}`, album.slug)),
    ),
  'opt-outs': (context, album, { rest }) => optOuts(context, album, rest),
  'show-photos': showPhotos,
  reindex,
  erase,
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
  const context = { ...(await openContext(env)), print }
  try {
    if (isAudit) return await audit(context, name)
    if (isInvite) return await printInvitation(context, values.albums)
    if (isAll) return await reindexAll(context)
    if (!act || !name) return await list(context)
    const album = await findAlbum(context.services.db, { slug: name })
    if (!album) throw new Error(`There is no album "${name}". To see all albums, run: npm run album -- list`)
    await act(context, album, {
      rest,
      yes: values.yes,
      email: values.email,
      sameAddress: values['same-address'],
    })
  } finally {
    await context.close()
  }
}

/** The name of an album, also from its whole link, and in capitals. */
function nameIn(given: string): string {
  return (/\/album\/([\w-]+)/i.exec(given)?.[1] ?? given).toLowerCase()
}

async function list({ services: { db }, print }: CommandContext): Promise<void> {
  const albums = await newestAlbums(db)
  if (albums.length === 0) print('There are no albums yet.')
  for (const { slug, display_name, created_at, photos_stored, photos_settled } of albums)
    print(
      `${created_at.toISOString().slice(0, 10)}  ${slug}  "${display_name}"  ` +
        `${photos_settled} of ${photos_stored} photos indexed`,
    )
}

async function printInvitation({ services, config, print }: CommandContext, albums: string): Promise<void> {
  if (!/^[1-9]\d{0,3}$/.test(albums)) throw new Error('--albums must be a whole number from 1 to 9999.')
  const count = Number(albums)
  const { code, expiresAt } = await invite(services, { albums: count, days: INVITATION_DAYS }, COMMAND_LINE)
  const what = count === 1 ? 'one album' : `${count} albums`
  print(`Invitation code: ${code}`)
  print(
    `It creates ${what} at ${siteUrlOf(config, config.port)}/get-started until ${expiresAt.toISOString().slice(0, 10)}. It is not shown again.`,
  )
  if (config.limits.albumCreation !== 'invited')
    print(
      `ALBUM_CREATION is ${config.limits.albumCreation} here, so codes have no effect. Set it to invited.`,
    )
}

async function audit({ services, print }: CommandContext, name: string | undefined): Promise<void> {
  const events = await (name === undefined ? allEvents(services.db) : eventsOfAlbum(services, name))
  for (const event of events) print(auditLine(event))
  if (events.length === 0)
    print(`The audit log has nothing${name === undefined ? '' : ` about "${name}"`} from the last 90 days.`)
}

async function show({ services, config, print }: CommandContext, album: Album): Promise<void> {
  const { db, keyring } = services
  const coverage = await coverageOf(db, album)
  const lines: [string, string | number][] = [
    ['Name', album.display_name],
    ['Link', `${siteUrlOf(config, config.port)}/album/${album.slug}`],
    ['Password', decryptPassword(keyring, album)],
    ['Owner', album.email],
    ['Letters', await lettersTo(services, album)],
    ['Created', album.created_at.toISOString()],
    ['Listed', album.is_listed ? 'yes' : 'no'],
    ['Browsing', settingsOf(album).browsing],
    ['Consent tick', settingsOf(album).consentTick],
    ['Ready since', album.completed_at?.toISOString() ?? 'not yet'],
    ['Photos', album.photos_stored],
    ['Searchable', coverage.photosSearchable],
    ['Waiting', album.photos_stored - album.photos_settled],
    ['Faces', coverage.facesFound],
  ]
  if (album.engine && album.engine !== config.faces.kind)
    lines.push(['Face engine', `${album.engine}: nobody is found until it is indexed again (reindex)`])
  if (album.engines_to_clear.length > 0)
    lines.push(['Faces left', `in ${album.engines_to_clear.join(', ')}: a job removes them`])
  if (coverage.facesOptedOut > 0) lines.push(['Opted out', counted(coverage.facesOptedOut, 'face')])
  if (coverage.photosHidden > 0) lines.push(['Hidden', counted(coverage.photosHidden, 'photo')])
  const guests = await countConfirmedAlerts(db, album.id)
  if (guests > 0) lines.push(['Guests', `${counted(guests, 'gets', 'get')} letters about new photos of them`])
  lines.push(...(await limitLines(db, album.id, config.faces.threshold)))
  for (const [label, value] of lines) print(`${label.padEnd(12)} ${value}`)
  const site = siteUrlOf(config, config.port)
  const optOuts = await optOutsOfAlbum(db, album.id)
  if (optOuts.some(({ state, photos_to_hide }) => state === 'active' || photos_to_hide))
    print(`\nHere the owner answers and revokes opt-outs: ${optOutsLink(keyring, site, album)}`)
  const unsearchable = [...coverage.skippedFiles, ...coverage.photosWithoutFace]
  if (unsearchable.length > 0) print('\nFiles that a selfie cannot find:')
  for (const { filename, reason } of unsearchable) print(`  ${filename}: ${reason}`)
}

/** Such as `1 photo` or `2 photos`. */
function counted(count: number, one: string, other = `${one}s`): string {
  return `${count} ${pluralOf('en', count, { one, other })}`
}

async function lettersTo({ db, keyring }: CommandContext['services'], album: Album): Promise<string> {
  if (await hasEndedLetters(db, keyring, album)) return 'ended by their recipient'
  return album.address_confirmed_at
    ? 'one for each upload'
    : 'at most three a day, because the address is not confirmed yet'
}

async function showPhotos({ services, print }: CommandContext, album: Album): Promise<void> {
  const shown = await showAllPhotos(services, album, COMMAND_LINE)
  print(
    `${counted(shown, 'photo')} of "${album.display_name}" ${pluralOf('en', shown, { one: 'is', other: 'are' })} shown again.`,
  )
}

async function password({ services, print }: CommandContext, album: Album): Promise<void> {
  print(
    `The new password of "${album.display_name}" is ${await changePassword(services, album, COMMAND_LINE)}`,
  )
}

async function newKey(
  { services, config, print }: CommandContext,
  album: Album,
  { email, sameAddress }: Options,
): Promise<void> {
  if ((email === undefined) !== sameAddress)
    throw new Error(
      `Letters with the album's link and password go to ${album.email}. Add --email ADDRESS if they are to go to another owner, or --same-address if not. Nothing was changed.`,
    )
  const entered = emailAddress.optional().safeParse(email)
  if (!entered.success) throw new Error(`--email: ${entered.error.issues[0]!.message}.`)
  const { ownerKey, album: renewed } = await renewOwnerKey(services, album, COMMAND_LINE, {
    email: entered.data,
  })
  const site = siteUrlOf(config, config.port)
  print(
    `The new owner key of "${album.display_name}" is ${ownerKey}

The former key no longer works, and all owners are logged out. Send this private link to the owner, and to nobody
else. A browser that opens it has the owner's rights:

  ${site}${ownerLink(album.slug, ownerKey)}

Programs use the key in the address of the REST calls. Nothing can show the key again. Letters go to
${renewed.email} from now on. The password is still the same. If someone else had the former key, change it,
too: npm run album -- password ${album.slug}`,
  )
}

async function reindexAll(context: CommandContext): Promise<void> {
  for (const album of await newestAlbums(context.services.db)) await reindex(context, album)
}

async function reindex(
  { services, config, print }: CommandContext,
  album: Pick<Album, 'id' | 'slug' | 'display_name'>,
): Promise<void> {
  const people = config.faces.kind === 'rekognition' ? await peopleKeptOut(services.db, album.id) : []
  const photos = await reindexAlbum(services, album.id)
  print(
    `A worker will index ${counted(photos, 'photo')} of "${album.display_name}" again (face engine: ${config.faces.kind}). Until ` +
      `then searches cover those that are indexed. To see the progress, run: npm run album -- show ${album.slug}`,
  )
  if (people.length > 0)
    print(
      `${counted(people.length, 'guest')} asked to stay out of later photos, too. Amazon Rekognition cannot do that: they stay out ` +
        'of all photos that the album has now, and may be found in those that are added.',
    )
}

async function erase({ services, print }: CommandContext, album: Album, { yes }: Options): Promise<void> {
  const what = `erases "${album.display_name}" with ${counted(album.photos_stored, 'photo')}`
  if (!yes && !(await confirmed(what, album.slug))) throw new Error('Nothing was erased.')
  if (album.photos_stored > 1_000)
    print('This takes minutes. If you interrupt it, a running worker completes it.')
  const { rowsRemaining, filesRemaining, facesRemaining } = await eraseAlbum(services, album, COMMAND_LINE, {
    untilGone: true,
  })
  print(
    `"${album.display_name}" is erased. After a check, ${counted(rowsRemaining, 'row')}, ${counted(filesRemaining, 'file')} and ` +
      `${counted(facesRemaining, 'face')} remain.`,
  )
  if (rowsRemaining + filesRemaining + facesRemaining > 0)
    throw new Error('A job tries again to erase what remains. It needs a running worker.')
}

async function confirmed(what: string, slug: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  const answer = terminal.question(`This ${what} permanently. Type ${slug} to continue: `)
  try {
    return (await Promise.race([answer, closed])).trim() === slug
  } finally {
    terminal.close()
  }
}
