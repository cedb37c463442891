/** Limits that the server and the web app share. Some are from the specification (§5, §9). */

const MEBIBYTE = 1024 * 1024

/** Bytes. Rekognition accepts at most 5,242,880 bytes in a request; §9 calls this 5 MB. */
export const PHOTO_MAX_BYTES = 5 * MEBIBYTE
/** Long side of a preview in pixels, which the viewer shows: see src/faces/preview.ts. */
export const PREVIEW_MAX_SIDE = 2_000
/** No camera's photo of 5 MB has more pixels. Decoding this many takes up to 640 MB of memory, because a progressive
 *  JPEG is decoded as a whole. */
export const PHOTO_MAX_PIXELS = 64_000_000
export const PHOTO_EXTENSIONS = ['.jpg', '.jpeg', '.png']
export const SELFIE_MAX_BYTES = 10 * MEBIBYTE
/** Selfies of one person in a search. */
export const SEARCH_MAX_SELFIES = 3
/** Faces that a visitor may confirm, and may reject, in a search. */
export const ANSWERED_MAX_FACES = 100
/** Faces that a search asks about. */
export const MOST_POSSIBLE = 24

/** Days after the last upload when the faces of an album are deleted, of which its owner chooses. */
export const FACES_END_DAYS = [30, 90, 180, 365] as const
export type FacesEndDays = (typeof FACES_END_DAYS)[number]

export const BATCH_SIZE = 15
export const BATCH_PAUSE_MS = 500
export const BATCH_TIMEOUT_MS = 120_000
export const BATCH_RETRY_DELAY_MS = 2_000
export const UPLOAD_REDIRECT_DELAY_MS = 2_000
export const PREVIEW_LIMIT = 15

export const SEARCH_RESULTS_SHOWN = 18
/** §9 also names 10 s for the progress view. The view is a part of the album page and shows the same record, so
 *  the page polls for both, and what the view shows is never older than 2 s. */
export const ALBUM_PROGRESS_POLL_MS = 2_000
export const RELOAD_AFTER_COMPLETION_MS = 2_500

/** A photo's addresses are valid for at least this long after the answer that contains them. */
export const PHOTO_LINK_LIFETIME_MS = 3_600_000

export const ALBUM_NAME_MAX_LENGTH = 120
/** Albums on one page of the list, unless a client asks for fewer. */
export const LIST_MAX_ALBUMS = 100
/** Albums that the web app loads at once. */
export const LISTED_ALBUMS_SHOWN = 24
/** RFC 5321 §4.5.3.1.3: a path has at most 256 octets, including its angle brackets. */
export const EMAIL_MAX_LENGTH = 254
/** Long enough for a whole pasted message with the password in it. */
export const PASSWORD_MAX_LENGTH = 1000
export const INVITE_CODE_MAX_LENGTH = 1000
/** An upload round with more photos is a fault of the client. */
export const ROUND_MAX_PHOTOS = 1_000_000

export const RESULTS_POLL_MS = 2_000
export const RESULTS_RETRY_DELAY_MS = 500
/** Results contain up to this many photos. A longer list has a call of its own. */
export const PHOTOS_WITH_RESULTS = 20
/** Photos on one page of a search's matches. */
export const FOUND_PAGE_MAX_PHOTOS = 200
/** Photos on one page of a list that a client loads in pages. */
export const PAGE_MAX_PHOTOS = 1_000
/** Found photos that the web app loads at once. */
export const PHOTOS_LOADED_AT_ONCE = 200
export const RESULT_PHOTOS_CACHE_MS = 300_000
export const SUBMISSION_DELETION_DELAY_MS = 30_000

/** Photos of one call that deletes or hides. With their ids it stays below the size of a call. */
export const CHANGE_MAX_PHOTOS = 1_000
/** Photos of one call that makes a zip. With their addresses it stays below the size of a call. */
export const ZIP_MAX_PHOTOS = 500
/** A client chooses the bytes of one part of a zip between these two. */
export const ZIP_PART_MIN_BYTES = 100_000
export const ZIP_PART_MAX_BYTES = 2_000_000_000
/** Photos of one part of a zip. Its address names them, and some proxies refuse an address that is longer. */
export const ZIP_PART_MAX_PHOTOS = 200
/** A zip's address ends with those of its photos. Who has begun the download may continue it for this much longer. */
export const ZIP_CONTINUES_MS = 3_600_000
/** How long the address of a zip can be used that is made of results which have been deleted already. Their page still
 *  shows the photos, and asks for a fresh address at each press. */
export const ZIP_AFTER_RESULTS_MS = 5 * 60_000

/** How long a browser may keep what finds a person without a selfie. */
export const REMEMBERED_DAYS = 30
/** How long a guest gets letters about new photos. */
export const ALERT_DAYS = 30
/** How long a new address for an album's letters can be confirmed. */
export const ADDRESS_CONFIRM_HOURS = 24
/** How long the link of the first letter can be used. */
export const ALERT_CONFIRM_HOURS = 24
/** Characters. What selfies have found on Amazon Rekognition needs about 12,000, and 500 ids of faces about 15,000. A form may
 *  have two tokens. */
export const SEARCH_TOKEN_MAX_LENGTH = 32_000

/** The owner's page and the maintainer's list have so many opt-outs of an album. */
export const OPT_OUTS_LISTED = 500
