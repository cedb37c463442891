/** Texts of the organiser's desk: its frame, its first page, sharing, and opt-outs. */
import { digits } from '../../numbers.ts'
import { sentence } from '../../sentence.ts'
import { are, faces, photos } from '../counts.ts'

export const desk = {
  sections: 'Parts of the desk',
  overview: 'Overview',
  back: 'Overview',
  album: 'Open the album',
  lookAsGuest: 'Look as a guest',
  forOrganiser: 'Only the organiser of this album can open this page',
  forOrganiserText: <P>(albumName: P) =>
    sentence`Use the browser in which you created ${albumName}, or open your private link in this one.`,
  openAlbum: 'Open the album',
  yourAlbums: 'Your albums',
  add: 'Add photos',
  addText: 'Guests find new photos as soon as their faces are indexed.',
  seeAll: 'See all photos',
  facesEnded: (date: string) => `Face search has ended on ${date}`,
  facesEndedText:
    'The descriptions of the faces are deleted, and the photos are still here. When you add photos, all of them can be searched again.',
}

export const deskShare = {
  title: 'Share',
  text: 'Link, password, codes and cards for your guests',
}

/** The opt-outs of an album. */
export const deskOptOuts = {
  title: 'Opt-outs',
  text: 'Guests who do not want to be found',
  about:
    'These guests do not want to be found. You see numbers only, and not who they are. Photos are here only if a guest asks you to hide them.',
  none: 'Nobody has opted out of this album.',
  faces,
  state: {
    active: (until: string) => `hidden, erased on ${until} at the earliest`,
    erased: 'erased',
    undone: 'undone',
  },
  revoke: 'Revoke',
  revokeDay: (count: number) => `Revoke all ${digits(count)} of this day`,
  confirmRevoke: 'Revoke this?',
  meaning: (count: number) =>
    `Searches will find ${faces(count)} again, although these people asked not to be found. They may have a right to it by law. Do this only when it was abuse, for example when somebody hides other people. It is written into the log of this website.`,
  asks: (count: number) => `This guest asks you to hide ${photos(count)}.`,
  hidingMeans:
    'Hidden photos are shown to nobody: no search finds them, and nobody can download them. They stay in the album, and you can show them again.',
  areHidden: (count: number) => `${photos(count)} ${are(count)} hidden.`,
  areShown: (count: number) => `${photos(count)} ${are(count)} shown.`,
  photo: (place: number) => `Photo ${digits(place)}`,
  these: (count: number) => `This page shows ${digits(count)} of them.`,
  hide: (count: number) => `Hide ${photos(count)}`,
  showAgain: 'Show them again',
  keep: 'Keep them',
  notSaved: 'Your answer could not be saved',
  notLoaded: 'The numbers could not be loaded',
  saved: 'Saved.',
}
