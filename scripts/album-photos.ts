import { renameAlbum } from '../src/albums/settings.ts'
import { COMMAND_LINE } from '../src/audit/audit-log.ts'
import { renameInput } from '../src/contract/albums.ts'
import { DELETE_MAX_PHOTOS } from '../src/contract/limits.ts'
import type { Album } from '../src/database/schema.ts'
import { photosNamed } from '../src/photos/deleted-queries.ts'
import { pluralOf } from '../src/texts/numbers.ts'
import { deleteFromAlbum } from '../src/uploads/delete-photos.ts'
import type { CommandContext } from './command-context.ts'

/** Deletes photos of an album for good.
 *  @param wanted names of files, or ids
 *  @param confirmed asks the person at the terminal; its text says what happens
 *  @throws Error when one of them names no photo, or several; nothing is deleted then */
export async function deletePhotos(
  { services, print }: CommandContext,
  album: Album,
  wanted: string[],
  confirmed: (what: string) => Promise<boolean>,
): Promise<void> {
  if (wanted.length > DELETE_MAX_PHOTOS) throw new Error(`At most ${DELETE_MAX_PHOTOS} photos at once.`)
  const found = await photosNamed(services.db, album.id, wanted)
  for (const name of wanted) {
    const ids = found.filter(({ id, filename }) => id === name || filename === name).map(({ id }) => id)
    if (ids.length === 0) throw new Error(`"${name}" is no photo of this album. Nothing was deleted.`)
    if (ids.length > 1)
      throw new Error(`"${name}" is the name of several photos. Name one by its id: ${ids.join(', ')}`)
  }
  const photos = `${found.length} ${pluralOf('en', found.length, { one: 'photo', other: 'photos' })}`
  if (!(await confirmed(`${photos} of "${album.display_name}"`))) throw new Error('Nothing was deleted.')
  const ids = found.map(({ id }) => id)
  await deleteFromAlbum(services, album, ids, COMMAND_LINE)
  print(`Deleted: ${photos} of "${album.display_name}". A running worker removes the files and the faces.`)
}

/** Changes the name that pages and letters show.
 *  @throws Error when it is no name of an album */
export async function rename(
  { services, print }: CommandContext,
  album: Album,
  words: string[],
): Promise<void> {
  const entered = renameInput.shape.displayName.safeParse(words.join(' '))
  if (!entered.success) throw new Error(`${entered.error.issues[0]!.message}.`)
  await renameAlbum(services, album, entered.data, COMMAND_LINE)
  print(`The album is now called "${entered.data}". Its address stays /album/${album.slug}.`)
}
