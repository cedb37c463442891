/** Sentences that the server and the web app share. */

// The specification fixes these (§5).
export const ONLY_JPEG_AND_PNG =
  'Only JPEG and PNG files are supported (facial recognition service requirement)'
export const PHOTO_TOO_LARGE = 'File too large (max 5MB per photo for facial recognition)'

/** How every refusal of a photo for which an album has no place begins. The web app then offers another album. */
export const ALBUM_FULL = 'The album is full'

// Why a selfie has to wait. The web app waits and sends it again, so it says what happens then in its own words.
export const MANY_SEARCHES = 'Many guests are searching for their photos at the moment.'

// The page then shows the box, also when the organiser has just begun to ask for the tick.
export const CONSENT_NEEDED =
  'This album asks for your consent. Please tick that you agree, and search again.'

// Why a search can no longer be repeated without its selfies. The page says it, and offers a new selfie.
export const SEARCH_ENDED =
  'Your search has ended: it lasts for an hour after this page was last open. Search with a selfie again.'
export const SEARCH_OF_FORMER_PASSWORD =
  'The password of this album has changed since your search. Search with a selfie again.'
export const SEARCH_UNKNOWN = 'This search cannot be continued here. Search with a selfie again.'
export const SEARCH_OVER: readonly string[] = [SEARCH_ENDED, SEARCH_OF_FORMER_PASSWORD, SEARCH_UNKNOWN]

/** What a person who searches with a selfie agrees to, as the pages say it above the button. A changed sentence needs
 *  the next version. */
export const CONSENT = {
  version: 1,
  text: 'By searching you agree that your selfie is compared with the faces in this album and then deleted.',
  /** Beside the box, where the album asks for a tick. */
  tick: 'I agree that my selfie is compared with the faces in this album and then deleted.',
}
