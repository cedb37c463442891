import { countPhotosWithoutFace } from '../../photos/coverage-queries.ts'
import {
  letterParts,
  unconfirmedLetter as stranger,
  readyLetter as texts,
} from '../../texts/english/letters.ts'
import { skippedOfLetter, workOfLetter } from '../facts-queries.ts'
import type { Kind } from '../kind.ts'
import {
  around,
  type Content,
  foreign,
  layOut,
  nameForStranger,
  oneLine,
  plain,
  quoted,
  type Words,
} from '../layout.ts'
import { letterLinks } from '../links.ts'
import { unlinkableName } from '../unlinkable-name.ts'

export interface ReadyData {
  isConfirmed: boolean
  /** As the owner typed it. */
  albumName: string
  /** The album's full address, for guests: it gives no right and confirms nothing. */
  link: string
  /** For an address that is not confirmed: the album. Opening it confirms the address, so it is not for guests. */
  openLink: string
  /** For one that is: the private link. It is behind a button only, so an owner who copies the text for guests does not copy it. */
  ownerLink: string
  /** The page that ends all letters about this album. */
  stopLink: string
  password: string
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
  limits: { kinds: ['ready'], aDay: 10, ofAlbum: 3 },
  async write({ db, keyring, siteUrl }, { letter, album }) {
    // All its photos may have been deleted meanwhile.
    if (album.photos_stored === 0) return undefined
    const links = letterLinks(keyring, siteUrl, album)
    const content = compose({
      isConfirmed: album.address_confirmed_at !== null,
      albumName: album.display_name,
      link: links.plain,
      openLink: links.open,
      ownerLink: links.owner,
      stopLink: links.stop,
      password: keyring.decrypt('album-password', album.password_cipher, album.slug),
      photos: album.photos_stored,
      faces: album.faces_found,
      photosWithoutFace: await countPhotosWithoutFace(db, album.id),
      work: await workOfLetter(db, letter),
      skipped: await skippedOfLetter(db, letter, SKIPPED_LISTED),
    })
    return { ...content, stopUrl: links.stopUrl }
  },
}

export const compose = (data: ReadyData): Content => (data.isConfirmed ? forOwner(data) : forStranger(data))

function forOwner(data: ReadyData): Content {
  const { albumName, link, ownerLink, skipped } = data
  const name = quoted(albumName)
  const left = skipped.total - skipped.first.length
  return layOut(texts.subject(oneLine(albumName)), around(name, texts.heading), [
    { part: 'button', label: letterParts.open, link, inText: null },
    ...facts(data, name),
    skipped.total > 0 && {
      part: 'list',
      title: texts.skipped(skipped.total),
      items: skipped.first.map(({ filename, reason }) => join(quoted(filename), foreign(reason))),
      more: left > 0 ? texts.more(left) : undefined,
    },
    { part: 'paragraph', words: { text: '', html: texts.own } },
    { part: 'button', label: texts.openAsOrganiser, link: ownerLink, inText: null },
  ])
}

/** The person who reads it may not know the owner, so apart from its links it contains nothing that the owner wrote, except a
 *  short name that is no link. */
function forStranger(data: ReadyData): Content {
  const { albumName, openLink, skipped, stopLink } = data
  const name = unlinkableName(albumName)
  return layOut(stranger.subject, plain(stranger.subject), [
    nameForStranger(albumName),
    { part: 'button', label: letterParts.open, link: openLink, inText: stranger.own },
    ...facts(data, name ? quoted(name) : plain('')),
    skipped.total > 0 && { part: 'paragraph', words: plain(stranger.moreLater) },
    { part: 'note', words: plain(stranger.notMe) },
    { part: 'link', label: letterParts.notMe, link: stopLink },
  ])
}

/** What is for guests is text without links. */
function facts(data: ReadyData, name: Words) {
  const { link, password, photos, faces, photosWithoutFace, skipped, isConfirmed, work } = data
  const rows: [string, string][] = [
    [letterParts.photos, letterParts.number(photos)],
    [letterParts.faces, letterParts.number(faces)],
    [letterParts.photosWithoutFace, letterParts.number(photosWithoutFace)],
  ]
  if (!isConfirmed && skipped.total > 0) rows.push([stranger.skipped, letterParts.number(skipped.total)])
  const time = work && timeTaken(work)
  return [
    {
      part: 'copy' as const,
      title: letterParts.toShare,
      lines: [
        around(name, letterParts.find),
        foreign(link),
        around(foreign(password), letterParts.passwordIs),
      ],
    },
    { part: 'note' as const, words: plain(letterParts.guests) },
    { part: 'counts' as const, rows },
    ...(time ? [{ part: 'paragraph' as const, words: plain(time) }] : []),
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

const join = (name: Words, reason: Words): Words => ({
  text: `${name.text}: ${reason.text}`,
  html: `<span style="font-weight:600;word-break:break-all">${name.html}</span>: ${reason.html}`,
})
