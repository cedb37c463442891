import { readSample, type TestClient } from '../../../src/testing/client.ts'
import { createSite, residentBytes, type Site, start } from '../service.ts'
import { undoLater } from '../undo.ts'
import { type Album, openAlbum, openSession, untilIndexed, upload } from '../visitors.ts'

/** A running service with an album that guests search while somebody attacks it. */
export interface AttackedSite extends Site {
  album: Album
  /** A selfie of somebody who is in the album. */
  selfie: Buffer
  /** A guest of the album, from a network address of their own or from this one. */
  guest(address?: string): Promise<TestClient>
  /** The bytes of the service and its processes. */
  memory(): number
  hasEnded(): boolean
  /** Removes what attacks have left: their albums, and what the limits have counted. */
  forget(): Promise<void>
}

/** Starts the service in a process of its own, with two indexed photos. */
export async function startAttackedSite(): Promise<AttackedSite> {
  const site = await createSite({ FACE_WORKERS: '1' })
  const { url, db } = site
  const { child, pid } = await start('all', site.env)
  // A clean stop would wait for the jobs that the attacks left.
  undoLater(async () => child.kill('SIGKILL'))
  const album = await openAlbum(url, 'A party under attack')
  const photos = [await readSample(1), await readSample(2)]
  await upload(album, photos.length, (index) => photos[index]!)
  await untilIndexed(album, photos.length)
  return {
    ...site,
    album,
    selfie: photos[0]!,
    guest: (address) => openSession(url, album, address),
    memory: () => residentBytes(pid),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async forget() {
      await db.deleteFrom('albums').where('id', '<>', album.id).execute()
      await db.deleteFrom('rate_limits').execute()
    },
  }
}
