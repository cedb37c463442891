/** The way to the upload page. Apart from the owner's other texts, because guests load it, too. */
export const uploadHere = {
  otherBrowser:
    'To add photos, use the browser in which you created this album, or open your private link in this one.',
  notKept:
    'This browser did not keep the key to your album: its settings forbid it, or its storage is full. Allow this site to keep data, or free some space. Then open your private link again.',
}

export const nothingUploaded = {
  title: 'Nothing has been uploaded yet',
  forGuests: 'The album opens by itself when the organiser has uploaded the photos.',
  here: 'Upload your photos. This page then shows the progress.',
  upload: 'Upload photos',
}
