/** Sentences that the specification fixes (§5), shared by the server and the web app. */

export const ONLY_JPEG_AND_PNG =
  'Only JPEG and PNG files are supported (facial recognition service requirement)'
export const PHOTO_TOO_LARGE = 'File too large (max 5MB per photo for facial recognition)'
