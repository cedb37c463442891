/** Sentences that the server and the web app share. */

// The specification fixes these (§5).
export const ONLY_JPEG_AND_PNG =
  'Only JPEG and PNG files are supported (facial recognition service requirement)'
export const PHOTO_TOO_LARGE = 'File too large (max 5MB per photo for facial recognition)'

// Why a selfie has to wait. The web app waits and sends it again, so it says what happens then in its own words.
export const MANY_SEARCHES = 'Many guests are searching for their photos at the moment.'
export const LAST_SELFIE_IN_WORK = 'We are still searching with your last selfie.'

// The page then shows the box, also when the organiser has just begun to ask for the tick.
export const CONSENT_NEEDED =
  'This album asks for your consent. Please tick that you agree, and search again.'

/** What a visitor can do about a selfie with which a search may miss photos. */
export const SELFIE_ADVICE = {
  NO_FACE: 'No face was found in this picture. Try a clearer photo that shows your face from the front.',
  SEVERAL_FACES: 'This picture shows several people. A picture of you alone may find more.',
  TOO_FAR_AWAY: 'Your face is too small in this picture. Come closer to the camera.',
  BLURRED: 'Your face is blurred in this picture. Hold the camera still.',
  TURNED_AWAY: 'Your face is turned away in this picture. Look into the camera.',
  TOO_DARK: 'Your face is too dark in this picture. Find a brighter place.',
  TOO_BRIGHT: 'Your face is too bright in this picture. Avoid strong light on it.',
} as const

export type SelfieProblem = keyof typeof SELFIE_ADVICE

/** The browser that kept the ticket drops it when it reads this. */
export const TICKET_REFUSED = 'What was kept about you is no longer valid. Please search with a selfie again.'

/** What a person who searches with a selfie agrees to, as the pages say it above the button. A changed sentence needs
 *  the next version. */
export const CONSENT = {
  version: 1,
  text: 'By searching you agree that your selfie is compared with the faces in this album and then deleted.',
  /** Beside the box, where the album asks for a tick. */
  tick: 'I agree that my selfie is compared with the faces in this album and then deleted.',
}

/** What a guest who wants a letter about more photos agrees to. A changed sentence needs the next version. */
export const ALERT_CONSENT = {
  version: 1,
  text: 'I agree that my address and an encrypted description of my face are kept for at most 30 days, to write to me when there are new photos of me in this album.',
}
export const ALERT_CONSENT_NEEDED =
  'Please tick that you agree. Without it nothing is kept, and no letters are sent.'
