/** Texts of photos: the grid, the viewer, taking them home. */
import { digits } from '../numbers.ts'
import { photos, plural } from './counts.ts'

export const photoThumb = {
  notLoaded: 'Not loaded',
}

export const photoTile = {
  select: (filename: string) => `Select ${filename}`,
  open: (filename: string) => `Open ${filename}`,
  download: (filename: string) => `Download ${filename}`,
}

export const viewer = {
  place: (place: number, total: number) => `${digits(place)} of ${digits(total)}`,
  notLoaded: 'This photo could not be loaded.',
  photo: (place: string, filename: string) => `Photo ${place}, ${filename}`,
  previous: 'Previous photo',
  next: 'Next photo',
  photos: 'Photos',
  showFace: 'Show my face',
  openFull: 'Open full size',
  getting: 'Getting the photo...',
  ready: 'Ready. Tap Share again.',
  failed: 'The photo could not be shared. Please try again.',
}

export const takeHome = {
  label: 'Your download',
  selected: (count: number) => `${digits(count)} selected`,
  all: 'All',
  none: 'None',
  save: 'Save',
  saveAll: 'Save all to Photos',
  fullSize: 'Save at full size',
  fullSizeText: (side: number) =>
    `Without the tick, smaller copies are saved: at most ${digits(side)} pixels on the long side. They load quickly and use less data.`,
  downloadAll: (count: number) => `Download all ${digits(count)}`,
  select: 'Select',
}

export const zipPanel = {
  oneByOne: 'Download one after the other.',
  leftOut: (count: number) => `${photos(count)} could not be included.`,
  interrupted: 'If the download is interrupted, continue it within an hour.',
  preparing: (ready: number, total: number) => `Preparing ${digits(ready)} of ${photos(total)}`,
  prepared: 'Photos prepared',
  failed: 'The download could not be prepared',
  started: 'Your download has started',
  parts: (count: number) => `Your photos are in ${count} files`,
  again: 'Download again',
  part: (place: number, count: number) => `Download ${place} of ${count}`,
}

export const savePanel = {
  saved: (count: number) => `${photos(count)} saved.`,
  asZip: 'Download as a zip instead',
  getting: (soFar: string) => `${soFar} Getting the next photos...`,
  save: (count: number) => `Save ${photos(count)}`,
  choose: 'Your phone takes a few photos at a time. In the next sheet, choose “Save” or an app.',
  goOn: 'Continue',
  areSaved: 'They are saved',
  openAgain: 'Open the sheet again',
  asked: (count: number) => `We passed ${photos(count)} to your phone. When they are saved, continue here.`,
  notLoaded: 'The next photos could not be loaded. Please try again.',
  refused: 'This browser could not pass the photos on. Download them as a zip instead.',
  soFar: (saved: number, total: number) => `${digits(saved)} of ${digits(total)} saved.`,
}

export const browsePhotos = {
  title: 'All photos',
  titleWith: (count: number) => plural(count, { one: photos(count), other: `All ${photos(count)}` }),
  closed: 'Not open to guests',
  closedText:
    'The organiser has not opened all photos of this album to guests. A selfie finds those you are in.',
  none: 'No photos yet',
  noneText: 'The photos appear here as soon as they have been prepared.',
  loading: 'Loading the photos...',
  showing: (count: number, total: number) => `Showing ${digits(count)} of ${photos(total)}`,
  notLoaded: 'The photos could not be loaded',
}
