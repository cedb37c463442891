import { countPhotosWithoutFace } from '../../photos/owner-queries.ts'
import {
  letterParts,
  unconfirmedLetter as stranger,
  readyLetter as texts,
} from '../../texts/english/letters.ts'
import { skippedOfLetter, workOfLetter } from '../facts-queries.ts'
import type { Kind } from '../kinds.ts'
import { type Block, type Draft, nameForStranger } from '../layout.ts'
import { letterLinks } from '../links.ts'
import { unlinkableName } from '../unlinkable-name.ts'

export interface ReadyData {
  isConfirmed: boolean
  /** As the owner typed it. */
  albumName: string
  /** `owner` is behind a button only, so an owner who copies the text for guests does not copy it. */
  links: ReturnType<typeof letterLinks>
  password: string
  isForChildren: boolean
  photos: number
  faces: number
  photosWithoutFace: number
  /** The photos that this letter is about, and the seconds from the first upload until all were settled. */
  work?: { photos: number; seconds: number } | undefined
  /** Files that are not in the album, or that a selfie cannot find: the first ones, with the reason for each. */
  skipped: { total: number; first: { filename: string; reason: string }[] }
}

export const SKIPPED_LISTED = 50

/** Tells the owner that an upload is complete. */
export const ready: Kind = {
  reader: 'owner',
  isToAlbum: true,
  limits: { kinds: ['ready'], aDay: 10, ofAlbum: 3 },
  async write({ db, keyring, siteUrl }, { letter, album }) {
    // All its photos may have been deleted meanwhile.
    if (album.photos_stored === 0) return undefined
    return compose({
      isConfirmed: album.address_confirmed_at !== null,
      albumName: album.display_name,
      links: letterLinks(keyring, siteUrl, album),
      password: keyring.decrypt('album-password', album.password_cipher, album.slug),
      isForChildren: album.settings.forChildren === 'on',
      photos: album.photos_stored,
      faces: album.faces_found,
      photosWithoutFace: await countPhotosWithoutFace(db, album.id),
      work: await workOfLetter(db, letter),
      skipped: await skippedOfLetter(db, letter, SKIPPED_LISTED),
    })
  },
}

export const compose = (data: ReadyData) => (data.isConfirmed ? forOwner(data) : forStranger(data))

function forOwner(data: ReadyData): Draft & { stopUrl: string } {
  const { albumName: name, links, skipped } = data
  const left = skipped.total - skipped.first.length
  return {
    subject: texts.subject(name),
    heading: { name, say: texts.heading },
    blocks: [
      { part: 'onlyHtml', block: { part: 'button', label: letterParts.open, link: links.plain } },
      ...facts(data, name),
      skipped.total > 0 && {
        part: 'list',
        title: texts.skipped(skipped.total),
        items: skipped.first.map(({ filename, reason }) => [filename, reason]),
        more: left > 0 ? texts.more(left) : undefined,
      },
      { part: 'onlyHtml', block: texts.own },
      { part: 'onlyHtml', block: { part: 'button', label: letterParts.openAsOrganiser, link: links.owner } },
    ],
    stopUrl: links.stopUrl,
  }
}

/** The person who reads it may not know the owner, so apart from its links it contains nothing that the owner wrote, except a
 *  short name that is no link. */
function forStranger(data: ReadyData): Draft & { stopUrl: string } {
  const { albumName, links, skipped } = data
  return {
    subject: stranger.subject,
    blocks: [
      nameForStranger(albumName),
      // Opening it confirms the address, so it is not for guests.
      { part: 'button', label: letterParts.open, link: links.open, textLabel: stranger.own },
      ...facts(data, unlinkableName(albumName)),
      skipped.total > 0 && stranger.moreLater,
      { part: 'note', words: stranger.notMe },
    ],
    notMe: links.stop,
    stopUrl: links.stopUrl,
  }
}

/** What is for guests is text without links. */
function facts(data: ReadyData, name: string): (Block | undefined)[] {
  const { links, password, isForChildren, photos, faces, photosWithoutFace, skipped, isConfirmed, work } =
    data
  const { find, passwordIs } = letterParts
  const rows: [string, number][] = [
    [letterParts.photos, photos],
    [letterParts.faces, faces],
    [letterParts.photosWithoutFace, photosWithoutFace],
  ]
  if (!isConfirmed && skipped.total > 0) rows.push([stranger.skipped, skipped.total])
  return [
    {
      part: 'copy',
      title: letterParts.toShare,
      lines: [name ? { name, say: find } : find(''), links.plain, passwordIs(password)],
    },
    { part: 'note', words: isForChildren ? letterParts.parents : letterParts.guests },
    { part: 'counts', rows },
    work && timeTaken(work),
  ]
}

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

/** One sentence, or none: less than a minute is not worth one, and after a day the time says something about an outage
 *  and nothing about the photos. */
function timeTaken({ photos, seconds }: NonNullable<ReadyData['work']>): string | undefined {
  if (seconds < MINUTE || seconds >= DAY) return undefined
  const all = Math.round(seconds / MINUTE)
  const [hours, minutes] = [Math.floor(all / 60), all % 60]
  const time = [hours > 0 && letterParts.hours(hours), minutes > 0 && letterParts.minutes(minutes)]
  return letterParts.timeTaken(photos, time.filter(Boolean).join(' '))
}
