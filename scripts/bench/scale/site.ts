import { createDb, type Db } from '../../../src/database/client.ts'
import { renderSelfie } from '../../../src/photos/images.ts'
import { undoLater } from '../cleanup.ts'
import { enterAsGuests } from '../guests.ts'
import { distinctPhotos, smallPictures } from '../photos.ts'
import { figure } from '../report.ts'
import { bareEngine, selfieFrom } from '../selfie-picture.ts'
import { makeDataFolder, type ServerProcess, sharedParts, startInRole } from '../server-process.ts'
import { createAlbum, type Destination, untilIndexed, uploadPhotos } from '../uploading.ts'
import { addEndedJobs, fillAlbum, preparePool, tidyUp } from './fill.ts'
import { count } from './lines.ts'

/** In pixels; after the phone or the browser has made it smaller. */
const SELFIE_SIDE = 1_600
const LARGE_ALBUMS = 5
/** Sessions for an album that is searched. */
const GUESTS = 300
export const ADMIN_TOKEN = 'token-of-the-scale-bench'

export interface ScaleAlbum extends Destination {
  /** As in its link. */
  name: string
  id: string
  cookies: string[]
  photos: number
  faces: number
}

/** A data folder with its own Postgres, and the albums in it. No process of the service runs on it between the parts. */
export interface ScaleSite {
  size: number
  /** Of processes that share the data folder and Postgres. */
  env: Record<string, string>
  db: Db
  dataDir: string
  pictures: Buffer[]
  selfie: Buffer
  /** Six real photos with their files. */
  six: ScaleAlbum
  /** The first has the selfie's person in a twentieth of its photos. */
  large: ScaleAlbum[]
}

export async function createSite(size: number): Promise<ScaleSite> {
  const dataDir = await makeDataFolder()
  // At other levels the log has a line for each selfie that is sent away.
  const env: Record<string, string> = { ...(await sharedParts(dataDir)), ADMIN_TOKEN, LOG_LEVEL: 'fatal' }
  const db = createDb({ connectionString: env.DATABASE_URL! }, () => {})
  undoLater(() => db.destroy())
  const pictures = smallPictures()
  const service = await startInRole('all', env)
  const six = await openAlbum(service, 'six', pictures.length, GUESTS)
  await uploadPhotos(six, distinctPhotos(pictures, pictures.length))
  await untilIndexed(six, pictures.length)

  const engine = await bareEngine()
  const selfie = await selfieFrom(pictures[0]!, engine, SELFIE_SIDE)
  const { described } = await engine.run({
    kind: 'selfie',
    wanted: undefined,
    image: await renderSelfie(selfie),
  })
  await preparePool(db, described!.descriptor)
  await engine.kill()

  const fill = async (name: string, photos: number, matches: number) => {
    const album = await openAlbum(service, name, photos, 2)
    return { ...album, faces: await fillAlbum(db, album.id, photos, matches) }
  }
  const began = performance.now()
  const large: ScaleAlbum[] = []
  for (let number = 1; number <= LARGE_ALBUMS; number++)
    large.push(await fill(`large-${number}`, size, number === 1 ? Math.round(size / 20) : 20))
  await addEndedJobs(db, size)
  await tidyUp(db)
  await service.stop()
  const faceCount = large.reduce((sum, album) => sum + album.faces, 0)
  console.log(
    `${LARGE_ALBUMS} albums of ${count(size)} photos with ${count(faceCount)} faces, filled in ${figure((performance.now() - began) / 1_000)} s`,
  )
  return { size, env, db, dataDir, pictures, selfie, six, large }
}

/** Creates an album and enters it as guests. */
export async function openAlbum(
  { url }: ServerProcess,
  name: string,
  photos: number,
  guests = 1,
): Promise<ScaleAlbum> {
  const destination = await createAlbum(url, photos, name)
  const { albumId, cookies } = await enterAsGuests(destination, guests, name)
  return { ...destination, name, id: albumId, cookies, photos, faces: 0 }
}
