import { coverageOf } from '../src/albums/coverage.ts'
import { decryptPassword } from '../src/albums/password.ts'
import { countConfirmedAlerts } from '../src/alerts/queries.ts'
import { PAGE_MAX_PHOTOS } from '../src/contract/limits.ts'
import type { Db } from '../src/database/client.ts'
import type { Album } from '../src/database/schema.ts'
import { limitsOfAlbum, measureNonMates } from '../src/faces/embedded/matching/album-limits.ts'
import { similarityOfDistance } from '../src/faces/embedded/matching/similarity.ts'
import { countFaces, statesOf } from '../src/faces/embedded/queries.ts'
import { hasEndedLetters } from '../src/letters/limits.ts'
import { optOutsLinks } from '../src/letters/links.ts'
import { optOutsOfAlbum } from '../src/opt-outs/queries.ts'
import { ownerPhotos } from '../src/photos/owner-photos.ts'
import { type CommandContext, counted } from './command-context.ts'

/** Prints what the maintainer may know about an album. */
export async function show(context: CommandContext, album: Album): Promise<void> {
  const { db, keyring, config, siteUrl, print } = context
  const coverage = await coverageOf(db, album)
  const lines: [string, string | number][] = [
    ['Name', album.display_name],
    ['Link', `${siteUrl}/album/${album.slug}`],
    ['Password', decryptPassword(keyring, album)],
    ['Owner', album.email],
    ['Letters', await lettersTo(context, album)],
    ['Created', album.created_at.toISOString()],
    ...Object.entries(album.settings).map(([name, value]): [string, string | number] => [
      name,
      value ?? 'none',
    ]),
    ['Faces ended', album.faces_ended_at?.toISOString() ?? 'not yet'],
    ['Ready since', album.completed_at?.toISOString() ?? 'not yet'],
    ['Photos', album.photos_stored],
    ['Searchable', coverage.photosSearchable],
    ['Waiting', coverage.photosWaiting],
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
  lines.push(...(await limitLines(db, album, config.faces.threshold)))
  for (const [label, value] of lines) print(`${label.padEnd(12)} ${value}`)
  const optOuts = await optOutsOfAlbum(db, album.id)
  if (optOuts.some(({ state, photos_to_hide }) => state === 'active' || photos_to_hide))
    print(`\nHere the owner answers and revokes opt-outs: ${optOutsLinks(keyring, siteUrl, album).plain}`)
  const unsearchable: { filename: string; reason: string | null }[] = [...coverage.skippedFiles]
  for (const which of ['given_up', 'nobody', 'unclear'] as const) {
    const { photos } = await ownerPhotos(context, album, { which, limit: PAGE_MAX_PHOTOS }, siteUrl)
    unsearchable.push(...photos)
  }
  if (unsearchable.length > 0) print('\nFiles that a selfie cannot find:')
  for (const { filename, reason } of unsearchable) print(`  ${filename}: ${reason}`)
}

async function lettersTo({ db, keyring }: CommandContext, album: Album): Promise<string> {
  if (await hasEndedLetters(db, keyring, album)) return 'ended by their recipient'
  return album.address_confirmed_at
    ? 'one for each upload'
    : 'at most three a day, because the address is not confirmed yet'
}

/** The limits of an album in the embedded engine, and where they come from, as lines with a label. None for an album
 *  that has no faces there.
 *  @param threshold FACE_MATCH_THRESHOLD, if it is set */
async function limitLines(
  db: Db,
  { id: albumId, settings }: Album,
  threshold?: number,
): Promise<[string, string][]> {
  const stateOf = async () => (await statesOf(db, [albumId])).get(albumId)
  const before = await stateOf()
  if (!before || (await countFaces(db, albumId)) === 0) return []
  await measureNonMates(db, albumId, before)
  const state = (await stateOf()) ?? before
  const { sure, possible } = limitsOfAlbum(state, threshold, settings.forChildren === 'on')
  const { faces, nonMates } = state
  const pairs = nonMates?.pairs ?? 0
  const origin =
    pairs > 0
      ? `${pairs} pairs of people in its photos (median ${nonMates!.median.toFixed(2)})`
      : 'other albums, because no photo shows two people'
  return [
    ['Sure', `${similarity(sure)}${threshold === undefined ? '' : ', set by FACE_MATCH_THRESHOLD'}`],
    ['Possible', similarity(possible)],
    ['Limits from', `${faces} faces, and ${origin}`],
  ]
}

const similarity = (distance: number) =>
  `from similarity ${similarityOfDistance(distance).toFixed(0)} (distance ${distance.toFixed(3)})`
