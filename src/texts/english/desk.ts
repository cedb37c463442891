/** Texts of the organiser's desk: its frame, its first page, and what is shared. */
import { sentence } from '../sentence.ts'

export const desk = {
  sections: 'Parts of the desk',
  overview: 'Overview',
  back: 'Overview',
  album: 'Open the album',
  forOrganiser: 'Only the organiser of this album can open this page',
  forOrganiserText: <P>(albumName: P) =>
    sentence`Use the browser in which you created ${albumName}, or open your private link in this one.`,
  openAlbum: 'Open the album',
  yourAlbums: 'Your albums',
  add: 'Add photos',
}

export const deskShare = {
  title: 'Share',
  text: 'Link, password and QR code for your guests',
}
