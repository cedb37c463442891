/** Texts of the upload pages. */
import { digits } from '../numbers.ts'
import { sentence } from '../sentence.ts'
import { are, capitalPhotos, files, photos, plural } from './counts.ts'

export const bulkUpload = {
  title: 'Upload photos',
  album: <P>(name: P) => sentence`Album: ${name}`,
  uploading: 'Uploading...',
  upload: (count: number) => (count === 0 ? 'Upload Photos' : `Upload ${capitalPhotos(count)}`),
  /** Every chosen photo is in the album. */
  goOn: 'Continue',
}

export const upload = {
  nothingSelected: 'No photos selected',
  selectPhotos: 'Please select photos to upload',
  retrying: 'Retrying failed batches',
  batchFailed: (batch: number) => `Batch ${digits(batch)} failed`,
  batchFailedText: (reason: string) => `Error: ${reason}. Will retry after other batches complete.`,
  batchRetried: (batch: number) => `Batch ${digits(batch)} retry successful!`,
  batchRetriedText: (count: number) => `${photos(count)} uploaded on retry`,
  retryFailed: (batch: number) => `Batch ${digits(batch)} retry failed`,
  retryFailedText: (count: number) => `${photos(count)} still failed after retry`,
  alreadyThere: 'Already in the album',
  alreadyThereText: (count: number) => `${photos(count)} ${are(count)} already in the album`,
  noneUploaded: 'Upload failed',
  noneUploadedText: 'No photos were uploaded successfully. Please try again.',
  completed: 'Upload completed!',
  completedText: (count: number, failed: number) =>
    `${photos(count)} uploaded successfully, ${digits(failed)} failed`,
  completedWithRetries: (count: number, failed: number, batches: number) =>
    `${photos(count)} uploaded successfully (including ${digits(batches)} retried batches), ${digits(failed)} failed`,
  uploadedBefore: (count: number) =>
    plural(count, {
      one: 'This photo is already in the album',
      other: `All ${digits(count)} photos are already in the album`,
    }),
  partlyUploadedBefore: (count: number, total: number) =>
    `${digits(count)} of ${digits(total)} photos ${are(count)} already uploaded; sending the other ${digits(total - count)}`,
  lastStopped: (done: number, total: number) =>
    `The last upload stopped at ${digits(done)} of ${digits(total)} photos`,
  lastStoppedText: 'Choose the same photos or folder again: only what is missing will be sent.',
  tryAgain: 'Please try again or check your internet connection',
  failed: 'Upload Failed',
  failedText: 'Please try again',
  refused: 'The file was refused',
  notSent: 'It was not sent, because the upload ended early.',
  unreadable: 'This file has been moved or changed since it was chosen. Choose it again.',
  uploading: 'Uploading',
  uploaded: (percent: number) => `${percent}% of the photos uploaded`,
  pace: (speed: string, timeLeft: string) => `${speed} · ${timeLeft}`,
  comeBackLater:
    'The service takes no photos at the moment. Please come back later. Then choose the same photos again: uploaded photos are kept, and only the missing ones will be sent.',
  albumLost:
    "This browser can no longer add photos to this album. It was removed, you have logged out, or it has a new owner key. Open the album's private link, or create a new album.",
}

export const uploadSuccess = {
  missing: (count: number) => `${files(count)} ${are(count)} missing`,
  started: 'Upload Started Successfully!',
  processing: <P>(count: number, albumName: string, email: string, strong: (text: string) => P) =>
    sentence`${strong(photos(count))} ${are(count)} being processed for ${strong(albumName)}. We will notify you at ${strong(email)}.`,
  thereBefore: (count: number) =>
    `${digits(count)} more ${plural(count, { one: 'was', other: 'were' })} already in the album.`,
  allSent: 'All photos are sent. You can close this page.',
  alreadyThere: 'Already in the Album',
  nothingNew: <P>(count: number, albumName: string, strong: (text: string) => P) =>
    sentence`${strong(photos(count))} ${are(count)} already in ${strong(albumName)}. Nothing new was uploaded.`,
  storage: 'Secure cloud storage',
  storageText: 'Your photos are stored safely.',
  indexing: 'AI face indexing',
  indexingText: 'Every photo is scanned for faces.',
  ready: 'Album ready for friends to search',
  readyText: 'Anyone with the link and password can find themselves.',
  letter: 'Email with album link',
  letterText: 'You get the link and the password to share.',
  createAnother: 'Create Another Album',
  createNew: 'Create a new album',
  uploadMore: 'Upload more photos to this album',
  address: "Your album's address",
  addressText:
    "Guests find their photos here. They also need the password. When the photos are processed, the album's page shows it to you.",
  keepLink: 'Your private link',
  keepLinkText:
    'Keep this link: it is how you come back, also in another browser. It gives all rights over the album, so share it with nobody.',
  watchProgress: 'Watch progress',
  manage: 'Manage this album',
  next: 'What happens next',
  nextText:
    'Processing may take minutes to a few hours. Albums of 1000+ photos may take several hours. You can close this page.',
}

export const blockedFiles = {
  invalid: 'Invalid file',
  more: (count: number) => `...and ${digits(count)} more`,
  title: (count: number) => `${files(count)} blocked`,
  dismiss: 'Dismiss list',
  shrink: 'Make them smaller and upload all',
  shrinkText: (count: number) =>
    `This browser makes a smaller copy of ${photos(count)}. Your originals stay as they are. The copies keep the date and leave out the place.`,
}

export const shrinking = {
  notOpened: 'The browser could not open this photo. It may be damaged.',
  notExact: 'The browser does not let this page copy pictures exactly. A privacy setting may be the reason.',
  tooLittleMemory: 'The browser has too little memory for this photo.',
}

export const uploadOutcome = {
  title: (count: number) => `${photos(count)} uploaded`,
  next: 'Taking you to the next step...',
  failed: 'Upload failed',
  createNew: 'Create a new album',
}

export const previewGrid = {
  more: (count: number) => `and ${digits(count)} more ${plural(count, { one: 'photo', other: 'photos' })}`,
  selected: (count: number) => `${photos(count)} selected`,
  clear: 'Clear All',
  remove: (filename: string) => `Remove ${filename}`,
}

export const leavingGuard = {
  title: 'Leave and stop the upload?',
  stay: 'Stay and go on',
  leave: 'Leave the page',
  text: 'Photos are still being uploaded. Photos that are already uploaded are kept. To send the rest later, choose the same photos again.',
}

export const photoPicker = {
  label: 'Choose photos to upload',
  drop: 'Drop photos or folders here',
  orBrowse: 'or click to browse',
  hint: 'JPEG and PNG, up to 5 MB each.',
  albumHolds: (count: number, gigabytes: number) =>
    `An album holds up to ${photos(count)}, or ${digits(gigabytes)} GB.`,
  chooseFolder: 'Choose a whole folder',
}

export const uploadProgress = {
  label: 'Upload progress',
  photos: (done: number, total: number) => `${digits(done)} of ${digits(total)} photos`,
  bytes: (done: string, total: string) => `${done} of ${total}`,
  upload: 'Upload',
  keepOpen: 'Keep this page open until every photo is sent.',
  shrinking: (count: number, total: number) => `Making photo ${digits(count)} of ${digits(total)} smaller`,
  stop: 'Stop the upload',
  offline: 'You are offline. The upload goes on by itself when the connection is back.',
  waits: <P>(time: P) => sentence`The service asks you to wait. The upload goes on by itself in ${time}.`,
}

export const reasonList = {
  title: (count: number) => `${files(count)} not uploaded`,
  label: 'Files not uploaded',
  more: (count: number) => `...and ${digits(count)} more`,
}

export const previewImage = {
  none: (name: string) => `${name}, no preview`,
}
