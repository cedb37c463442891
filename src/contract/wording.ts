/** Sentences that the server and the web app share. */

// The specification fixes these (§5).
export const ONLY_JPEG_AND_PNG =
  'Only JPEG and PNG files are supported (facial recognition service requirement)'
export const PHOTO_TOO_LARGE = 'File too large (max 5MB per photo for facial recognition)'

// Why a selfie has to wait. The web app waits and sends it again, so it says what happens then in its own words.
export const MANY_SEARCHES = 'Many guests are searching for their photos at the moment.'
export const LAST_SELFIE_IN_WORK = 'Your last selfie is still being searched for.'

// The page then shows the box, also when the organiser has just begun to ask for the tick.
export const CONSENT_NEEDED =
  'This album asks for your consent. Please tick that you agree, and search again.'
