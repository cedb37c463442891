/** Sentences that the server and the web app share. */

// The specification fixes these (§5).
export const ONLY_JPEG_AND_PNG =
  'Only JPEG and PNG files are supported (facial recognition service requirement)'
export const PHOTO_TOO_LARGE = 'File too large (max 5MB per photo for facial recognition)'

/** What a person who searches with a selfie agrees to, as the pages say it above the button. A changed sentence needs
 *  the next version. */
export const CONSENT = {
  version: 1,
  text: 'By searching you agree that your selfie is compared with the faces in this album and then deleted.',
  /** Beside the box, where the album asks for a tick. */
  tick: 'I agree that my selfie is compared with the faces in this album and then deleted.',
}

/** The same in an album for children. Its version is one of those of CONSENT. */
export const PARENTS_CONSENT = {
  version: 2,
  tick: 'I am a parent or guardian of this child, and agree that this picture is compared with the faces in this album and then deleted.',
}
