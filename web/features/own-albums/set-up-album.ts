import { failureOf } from '../../lib/failure.ts'
import { readOwnAlbums } from '../../lib/own-albums.ts'
import type { Organiser } from '../../lib/persisted.ts'
import type { trpc } from '../../trpc.ts'

type Client = ReturnType<typeof trpc.useUtils>['client']

export interface Wanted {
  email: string
  albumName: string
  inviteCode?: string
  /** The name in the address of the album that this form created before. With another email address it is corrected. */
  created?: string | undefined
}

/** Creates an album. A second try with the same values in the same browser takes the same album while it is empty. */
export async function setUpAlbum(client: Client, wanted: Wanted): Promise<Organiser> {
  return (await takeEmpty(client, wanted)) ?? (await create(client, wanted))
}

async function create(client: Client, { email, albumName, inviteCode }: Wanted): Promise<Organiser> {
  const { userAlbum } = await client.albums.create.mutate({
    email,
    albumName,
    displayName: albumName,
    ...(inviteCode !== undefined && { inviteCode }),
  })
  return {
    userEmail: email.trim(),
    eventName: albumName.trim(),
    userAlbumId: userAlbum.id,
    userAlbumSlug: userAlbum.albumName,
  }
}

/** Whether this browser has an album that such a form would take, if that one is still empty. */
export function hasSameAlbum(wanted: Wanted): boolean {
  return sameAlbums(wanted).length > 0
}

function sameAlbums({ email, albumName, created }: Wanted): Organiser[] {
  return readOwnAlbums().filter(
    ({ userEmail, eventName, userAlbumSlug }) =>
      eventName === albumName.trim() &&
      (isSameAddress(userEmail, email) || (created !== undefined && userAlbumSlug === created)),
  )
}

const isSameAddress = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

async function takeEmpty(client: Client, wanted: Wanted): Promise<Organiser | undefined> {
  for (const own of sameAlbums(wanted)) {
    const entered = await enter(client, own)
    if (!entered || entered.progress.totalPhotos > 0) continue
    const { album, email } = entered
    const taken = { ...own, userEmail: email, userAlbumSlug: album.albumName }
    if (isSameAddress(email, wanted.email)) return taken
    const { waiting } = await client.albums.changeLetterAddress.mutate({ id: album.id, email: wanted.email })
    return waiting ? taken : { ...taken, userEmail: wanted.email.trim() }
  }
  return undefined
}

/** @returns undefined when the key is no longer valid */
async function enter(client: Client, { userAlbumId }: Organiser) {
  try {
    return await client.albums.enterAsOwner.mutate({ ownerKey: userAlbumId })
  } catch (error) {
    if (failureOf(error)?.status === 404) return undefined
    throw error
  }
}
