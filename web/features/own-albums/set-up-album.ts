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
  const { email, albumName, inviteCode } = wanted
  for (const own of sameAlbums(wanted)) {
    const taken = await takeEmpty(client, own, email)
    if (taken) return taken
  }
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

/** @returns undefined when the album is not empty, or its key is no longer valid */
async function takeEmpty(client: Client, own: Organiser, wanted: string): Promise<Organiser | undefined> {
  const entered = await client.albums.enterAsOwner
    .mutate({ ownerKey: own.userAlbumId })
    .catch((error: unknown) => {
      if (failureOf(error)?.status !== 404) throw error
    })
  if (!entered || entered.progress.totalPhotos > 0) return undefined
  const { album, email } = entered
  const taken = { ...own, userEmail: email, userAlbumSlug: album.albumName }
  if (isSameAddress(email, wanted)) return taken
  const { waiting } = await client.albums.changeLetterAddress.mutate({ id: album.id, email: wanted })
  return waiting ? taken : { ...taken, userEmail: wanted.trim() }
}
