import { createInterface } from 'node:readline/promises'
import { z } from 'zod'
import { eraseAlbum } from '../src/albums/erase.ts'
import { changePassword } from '../src/albums/password.ts'
import { reindexAlbum } from '../src/albums/reindex.ts'
import { renewOwnerKey } from '../src/albums/renew-owner-key.ts'
import { changeSettings, renameAlbum } from '../src/albums/settings.ts'
import { COMMAND_LINE } from '../src/audit/audit-log.ts'
import { albumSettings } from '../src/contract/albums/album-settings.ts'
import { emailAddress, renameInput } from '../src/contract/albums/albums.ts'
import { ownerLink } from '../src/contract/albums/owner-link.ts'
import { CHANGE_MAX_PHOTOS } from '../src/contract/limits.ts'
import type { Album } from '../src/database/schema.ts'
import { showAllPhotos } from '../src/opt-outs/owner-answers.ts'
import { photosNamed } from '../src/photos/change-queries.ts'
import { peopleKeptOut } from '../src/photos/face-queries.ts'
import { deleteFromAlbum } from '../src/uploads/delete-photos.ts'
import { type CommandContext, counted } from './command-context.ts'

/** Does something with an album. Its options are what comes after the name. */
export type Act = (context: CommandContext, album: Album, options: Options) => Promise<void>

export interface Options {
  rest: string[]
  yes: boolean
  email?: string | undefined
  'same-address': boolean
}

export const password: Act = async (context, album) => {
  context.print(
    `The new password of "${album.display_name}" is ${await changePassword(context, album, COMMAND_LINE)}`,
  )
}

export const newKey: Act = async (context, album, options) => {
  const { email } = options
  if ((email === undefined) !== options['same-address'])
    throw new Error(
      `Letters with the album's link and password go to ${album.email}. Add --email ADDRESS if they are to go to another owner, or --same-address if not. Nothing was changed.`,
    )
  const entered = emailAddress.optional().safeParse(email)
  if (!entered.success) throw new Error(`--email: ${entered.error.issues[0]!.message}.`)
  const { ownerKey, album: renewed } = await renewOwnerKey(context, album, COMMAND_LINE, {
    email: entered.data,
  })
  context.print(
    `The new owner key of "${album.display_name}" is ${ownerKey}

The former key no longer works, and all owners are logged out. Send this private link to the owner, and to nobody
else. A browser that opens it has the owner's rights:

  ${context.siteUrl}${ownerLink(album.slug, ownerKey)}

Programs use the key in the address of the REST calls. Nothing can show the key again. Letters go to
${renewed.email} from now on. The password is still the same. If someone else had the former key, change it,
too: npm run album -- password ${album.slug}`,
  )
}

export async function reindex(
  context: CommandContext,
  album: Pick<Album, 'id' | 'slug' | 'display_name'>,
): Promise<void> {
  const people = context.config.faces.kind === 'rekognition' ? await peopleKeptOut(context.db, album.id) : []
  const photos = await reindexAlbum(context, album.id)
  context.print(
    `A worker will index ${counted(photos, 'photo')} of "${album.display_name}" again (face engine: ${context.config.faces.kind}). Until ` +
      `then searches cover those that are indexed. To see the progress, run: npm run album -- show ${album.slug}`,
  )
  if (people.length > 0)
    context.print(
      `${counted(people.length, 'guest')} asked to stay out of later photos, too. Amazon Rekognition cannot do that: they stay out ` +
        'of all photos that the album has now, and may be found in those that are added.',
    )
}

export const erase: Act = async (context, album, { yes }) => {
  const what = `erases "${album.display_name}" with ${counted(album.photos_stored, 'photo')}`
  if (!yes && !(await confirmed(what, album.slug))) throw new Error('Nothing was erased.')
  if (album.photos_stored > 1_000)
    context.print('This takes minutes. If you interrupt it, a running worker completes it.')
  const { rowsRemaining, filesRemaining, facesRemaining } = await eraseAlbum(context, album, COMMAND_LINE, {
    untilGone: true,
  })
  context.print(
    `"${album.display_name}" is erased. After a check, ${counted(rowsRemaining, 'row')}, ${counted(filesRemaining, 'file')} and ` +
      `${counted(facesRemaining, 'face')} remain.`,
  )
  if (rowsRemaining + filesRemaining + facesRemaining > 0)
    throw new Error('A job tries again to erase what remains. It needs a running worker.')
}

/** The settings that `npm run album -- set` knows. */
const SETTINGS = albumSettings.partial().strict()

/** Each setting as it is typed, and below it what it means. */
export function knownSettings(): string {
  const { properties } = z.toJSONSchema(albumSettings)
  const lines = Object.entries(properties as Record<string, z.core.JSONSchema.BaseSchema>).map(
    ([name, { enum: values = [name.endsWith('At') ? 'TIME' : 'ID', 'none'], description }]) =>
      `      ${name} ${values.join('|')}\n        ${description}`,
  )
  return lines.join('\n')
}

/** Changes settings, as `browsing on` or `browsing=on`.
 *  @throws Error when one of them does not exist; nothing is changed then */
export const set: Act = async (context, album, { rest }) => {
  const words = rest.flatMap((word) => word.split('='))
  const changes: z.infer<typeof SETTINGS> = {}
  for (let at = 0; at < words.length; at += 2) {
    const [name = '', value] = words.slice(at)
    const given = name === 'facesEndDays' ? Number(value) : value === 'none' ? null : value
    const read = SETTINGS.safeParse({ [name]: given })
    if (!read.success || value === undefined)
      throw new Error(`"${name} ${value ?? ''}" is not a setting. There are:\n${knownSettings()}`)
    Object.assign(changes, read.data)
  }
  await changeSettings(context, album, changes, COMMAND_LINE)
  for (const [name, value] of Object.entries(changes))
    context.print(`"${album.display_name}": ${name} is ${value ?? 'none'}.`)
}

/** Changes the name that pages and letters show.
 *  @throws Error when it is no name of an album */
export const rename: Act = async (context, album, { rest }) => {
  const entered = renameInput.shape.displayName.safeParse(rest.join(' '))
  if (!entered.success) throw new Error(`${entered.error.issues[0]!.message}.`)
  await renameAlbum(context, album, entered.data, COMMAND_LINE)
  context.print(`The album is now called "${entered.data}". Its address stays /album/${album.slug}.`)
}

/** Deletes photos of an album for good.
 *  @throws Error when one of them names no photo, or several; nothing is deleted then */
export const deletePhotos: Act = async (context, album, { rest: wanted, yes }) => {
  if (wanted.length > CHANGE_MAX_PHOTOS) throw new Error(`At most ${CHANGE_MAX_PHOTOS} photos at once.`)
  const found = await photosNamed(context.db, album.id, wanted)
  for (const name of wanted) {
    const ids = found.filter(({ id, filename }) => id === name || filename === name).map(({ id }) => id)
    if (ids.length === 0) throw new Error(`"${name}" is no photo of this album. Nothing was deleted.`)
    if (ids.length > 1)
      throw new Error(`"${name}" is the name of several photos. Name one by its id: ${ids.join(', ')}`)
  }
  const photos = `${counted(found.length, 'photo')} of "${album.display_name}"`
  if (!yes && !(await confirmed(`deletes ${photos}`, album.slug))) throw new Error('Nothing was deleted.')
  const ids = found.map(({ id }) => id)
  await deleteFromAlbum(context, album, ids, COMMAND_LINE)
  context.print(`Deleted: ${photos}. A running worker removes the files and the faces.`)
}

export const showPhotos: Act = async (context, album) => {
  const shown = await showAllPhotos(context, album, COMMAND_LINE)
  context.print(`Shown again in "${album.display_name}": ${counted(shown, 'photo')}.`)
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
