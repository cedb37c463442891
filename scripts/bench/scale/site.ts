import { sql } from 'kysely'
import { loadFaceEngine } from '../../../src/faces/embedded/networks/engine.ts'
import { renderSelfie } from '../../../src/photos/images.ts'
import { fillAlbum, preparePool } from '../faces.ts'
import { count, figure } from '../report.ts'
import { albumWithSelfie } from '../selfie.ts'
import { createSite, type Running, type Site, start } from '../service.ts'
import { type Album, findPhotos, openAlbum } from '../visitors.ts'

/** In pixels; after the phone or the browser has made it smaller. */
const SELFIE_SIDE = 1_600
const LARGE_ALBUMS = 5
/** For the album of six, which others search. */
const GUESTS = 300

/** No process of the service runs on it between the parts. */
export interface ScaleSite extends Site {
  /** Photos of a large album. */
  size: number
  selfie: Buffer
  /** Six real photos with their files. */
  six: Album
  /** The first has the selfie's person in a twentieth of its photos. */
  large: Album[]
}

export async function createScaleSite(size: number): Promise<ScaleSite> {
  // At other levels the log has a line for each selfie that is sent away.
  const site = await createSite({ ADMIN_TOKEN: 'token-of-the-scale-bench', LOG_LEVEL: 'fatal' })
  const { album: six, selfie } = await albumWithSelfie(site, { guests: GUESTS, side: SELFIE_SIDE })
  const { engine } = await loadFaceEngine()
  const { described } = await engine.describeSelfie(await renderSelfie(selfie))
  await preparePool(site.db, described!.descriptor)

  const service = await start('web', site.env)
  const began = performance.now()
  const large: Album[] = []
  let faces = 0
  for (let number = 1; number <= LARGE_ALBUMS; number++) {
    const album = await openAlbum(site.url, `large-${number}`, 2)
    faces += await fillAlbum(site.db, album.id, size, number === 1 ? Math.round(size / 20) : 20)
    large.push(album)
  }
  await service.stop()
  // Jobs of photos that have just been indexed.
  await sql`
    insert into pgboss.job (name, data, state, started_on, completed_on, policy)
    select 'index-photos', jsonb_build_object('photoId', gen_random_uuid()), 'completed', now(), now(),
      'standard'
    from generate_series(1, ${size}::int)`.execute(site.db)
  // Now, so that Postgres does not start it during a measurement.
  await sql`vacuum (analyze)`.execute(site.db)
  console.log(
    `${LARGE_ALBUMS} albums of ${count(size)} photos with ${count(faces)} faces, filled in ${figure((performance.now() - began) / 1_000)} s`,
  )
  return { ...site, size, selfie, six, large }
}

/** Starts a process that has searched the smallest album and no other. */
export async function startWarm({ env, six, selfie }: ScaleSite, role: 'web' | 'all'): Promise<Running> {
  const running = await start(role, env)
  for (let guest = 0; guest < 5; guest++) await findPhotos(six, selfie, guest)
  return running
}
