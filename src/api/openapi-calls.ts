import type { z } from 'zod'
import { albumNotFound } from '../albums/access.ts'
import { RATE_LIMITS } from '../albums/rate-limits.ts'
import { albumNameInput, authenticateInput, createAlbumInput, progressInput } from '../contract/albums.ts'
import { BATCH_SIZE } from '../contract/limits.ts'
import { exchangeCodeInput } from '../contract/mail-setup.ts'
import { uploadFields } from '../contract/photos.ts'
import { searchFields } from '../contract/search.ts'
import { submitFields } from '../contract/submissions.ts'
import { AppError } from '../errors.ts'
import { invalidInput } from './known-failure.ts'
import * as example from './openapi-answers.ts'
import { type Caller, ownerOnly } from './openapi-callers.ts'

/** What the document says of a call beyond its summary and its schemas. */
export interface CallFacts {
  who: Caller
  /** What the summary leaves out. */
  description: string
  /** What each input means. Limits and types stand in the schemas. */
  inputs?: Record<string, string>
  request?: object
  answer: unknown
  /** Beside those of its callers, and those that every call of its kind can give. */
  errors?: AppError[]
}

const badRequest = (message: string) => new AppError('BAD_REQUEST', message)
const unauthorized = (message: string) => new AppError('UNAUTHORIZED', message)
const tooLarge = (message: string) => new AppError('PAYLOAD_TOO_LARGE', message)
const wrongType = (message: string) => new AppError('UNSUPPORTED_MEDIA_TYPE', message)
const away = (message: string, retryAfter?: number) =>
  new AppError('SERVICE_UNAVAILABLE', message, retryAfter ? { retryAfter } : {})
const limited = (kind: keyof typeof RATE_LIMITS) =>
  new AppError('TOO_MANY_REQUESTS', RATE_LIMITS[kind].message, {
    retryAfter: RATE_LIMITS[kind].windowSeconds,
  })

/** The error that this input is answered with. */
function refused(schema: z.ZodType, input: object): AppError {
  const { error } = schema.safeParse(input)
  if (!error) throw new Error('An example of an invalid input is valid')
  return invalidInput(error)
}

const TOO_LONG = 'x'.repeat(501)
const NO_FACE = new AppError(
  'UNPROCESSABLE_CONTENT',
  'No face was found in this picture. Try a clearer photo that shows your face from the front.',
)
const MEGAPIXELS = tooLarge(
  'The image is too large: 30000 × 30000 pixels. At most 64 megapixels can be processed',
)
const DAMAGED = badRequest('The image is damaged or incomplete')
const BAD_SELFIES = [
  DAMAGED,
  badRequest('Please send one photo only'),
  badRequest('Unexpected file field "selfie": send it as "photo"'),
  tooLarge('Please upload an image smaller than 10MB'),
  MEGAPIXELS,
  wrongType('Please upload an image file (JPG, PNG, etc.)'),
  limited('selfie'),
]
const STORAGE_AWAY = [away('The photo storage is full'), away('The photo storage is currently unavailable')]
const ENGINE_AWAY = [
  away('The service is stopping. Please try again in a moment.', 5),
  new AppError('INTERNAL_SERVER_ERROR', 'The face engine was interrupted. Please try again.'),
]
const NO_GOOGLE = [
  new AppError(
    'CONFLICT',
    'Gmail is not set up. Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET to those of an OAuth client, then restart Inframe.',
  ),
]

const ALBUM_NAME = "The album's url-safe name, as it stands in its link."
const OWNER_KEY_OR_ID = "The owner key; or, in a session that may see the album, the album's public id."
const OWNED = {
  who: 'owner',
  inputs: { id: "The owner key; or, in the session that created the album, the album's public id." },
} as const
const SUBMISSION = {
  who: 'submitter',
  inputs: { id: 'The id at the end of `redirectTo`, as POST /submit-photo has answered it.' },
} as const
const SELFIE = 'One picture of at most 10 MB with your face: JPEG, PNG, GIF or WEBP.'

/** The calls, in the order in which the document lists them. */
export const CALLS: Record<string, CallFacts> = {
  'POST /user-albums': {
    who: 'visitor',
    description:
      'Answers the owner key, this once: whoever holds it is the owner. The session of the answer owns the album, too. The album gets a password of its own, which the owner reads with GET /albums/by-name/{albumName}.',
    inputs: {
      email: 'Where the letter goes when everything is indexed. One line.',
      albumName: 'The name as the organiser writes it. One line; blanks around it do not count.',
      displayName: 'The same again; where it differs from `albumName`, it is the name shown.',
    },
    request: { email: 'organiser@example.com', albumName: 'My Summer Wedding, 2025' },
    answer: { userAlbum: { ...example.album, id: example.OWNER_KEY } },
    errors: [refused(createAlbumInput, { email: 'organiser', albumName: '' }), limited('createAlbum')],
  },

  'GET /albums/list': {
    who: 'anyone',
    description: 'The newest 500, the newest first. Nothing in it gives any right to an album.',
    answer: [example.album],
  },

  'GET /albums/auth-status/{albumName}': {
    who: 'visitor',
    description: 'An unknown album is no error here: `albumExists` is false.',
    inputs: { albumName: ALBUM_NAME },
    answer: { albumExists: true, isAuthenticated: false, displayName: example.album.displayName },
    errors: [refused(albumNameInput, { albumName: TOO_LONG })],
  },

  'POST /albums/{albumName}/authenticate': {
    who: 'visitor',
    description:
      'The session cookie of the answer is what lets the guest in. Case, blanks and dashes of the password do not count. Only wrong passwords count towards the limit.',
    inputs: { albumName: ALBUM_NAME, password: "The album's password." },
    request: { password: example.PASSWORD },
    answer: { album: example.album },
    errors: [
      refused(authenticateInput, { albumName: example.album.albumName }),
      unauthorized('Invalid password'),
      albumNotFound(),
      limited('wrongPassword'),
    ],
  },

  'GET /albums/by-name/{albumName}': {
    who: 'guest',
    description: 'The album with its password, which a client shows to the owner only (`isOwner`).',
    inputs: { albumName: ALBUM_NAME },
    answer: { album: { ...example.album, albumPassword: example.PASSWORD, isOwner: true } },
    errors: [refused(albumNameInput, { albumName: TOO_LONG })],
  },

  'GET /albums/{id}/progress': {
    who: 'guestOrOwner',
    description: 'Made to be asked every two seconds. Once `isCompleted` is true, the album can be searched.',
    inputs: { id: OWNER_KEY_OR_ID },
    answer: example.progress,
    errors: [refused(progressInput, { id: TOO_LONG })],
  },

  'POST /search-in-album': {
    who: 'guest',
    description:
      'The selfie is held in memory only, and only for this call. Nothing found is no error: the lists are empty.',
    inputs: { photo: SELFIE, albumName: ALBUM_NAME },
    answer: { matchedPhotos: [example.photo.url], photos: [{ ...example.photo, similarity: 97.4 }] },
    errors: [
      refused(searchFields, {}),
      badRequest('Please choose a selfie'),
      ...BAD_SELFIES,
      NO_FACE,
      ...ENGINE_AWAY,
    ],
  },

  'POST /albums/{userAlbumId}/upload-photos': {
    who: 'owner',
    description: `Up to ${BATCH_SIZE} photos in a request; more go in further requests. Each photo is judged by itself: the answer is 200 as soon as one is kept, and its \`files\` say what became of each. A photo that the album has already counts as successful and is stored once, so that a batch can be sent again. The answer is an error when not one is kept.`,
    inputs: {
      userAlbumId: OWNED.inputs.id,
      photos: 'JPEG or PNG, at most 5 MB (5,242,880 bytes) and 64 megapixels each. The field is repeated.',
      totalIntendedPhotos:
        'How many photos are to come in all batches together. It lets the upload end by itself.',
      batchNumber: 'Which batch this is, from 1. For the client only.',
      totalBatches: 'How many there are. For the client only.',
    },
    answer: example.upload,
    errors: [
      refused(uploadFields, { totalIntendedPhotos: 'many' }),
      badRequest('No photos were sent'),
      badRequest('Unexpected file field "files": send it as "photos"'),
      badRequest('None of these files could be used'),
      badRequest('The file is empty'),
      DAMAGED,
      tooLarge(`At most ${BATCH_SIZE} photos in one batch`),
      tooLarge('File too large (max 5MB per photo for facial recognition)'),
      MEGAPIXELS,
      wrongType('Only JPEG and PNG files are supported (facial recognition service requirement)'),
      ...STORAGE_AWAY,
    ],
  },

  'POST /albums/{id}/finish-upload': {
    ...OWNED,
    description:
      'What is stored is all there will be. Without this call an upload ends when all intended photos are stored, or after two quiet minutes.',
    request: {},
    answer: { ...example.progress, isUploadingToS3: false },
    errors: [refused(progressInput, { id: TOO_LONG })],
  },

  'POST /albums/{id}/password': {
    ...OWNED,
    description: 'Sessions and photo links that the former password led to end at once; the owner stays in.',
    request: {},
    answer: { albumPassword: example.PASSWORD },
    errors: [refused(progressInput, { id: TOO_LONG })],
  },

  'DELETE /albums/{id}': {
    ...OWNED,
    description:
      'Cannot be undone. The answer is what was found when every place was looked at again: zeros.',
    answer: { rowsRemaining: 0, filesRemaining: 0, facesRemaining: 0 },
    errors: [refused(progressInput, { id: TOO_LONG }), ...STORAGE_AWAY],
  },

  'GET /albums/{id}/coverage': {
    ...OWNED,
    description: 'Each list has at most 1,000 entries, the newest first.',
    answer: example.coverage,
    errors: [refused(progressInput, { id: TOO_LONG })],
  },

  'POST /submit-photo': {
    who: 'guestOrOwner',
    description:
      'Searches the album of `userAlbumId`, or without one all albums that the session may see. Ask GET /results/{id} with the id at the end of `redirectTo`; `/selfie/no-results` means that there is nothing to be found: no face in the selfie, or none in the albums. The selfie is deleted as soon as it is matched, and at the latest after five minutes.',
    inputs: {
      photo: SELFIE,
      source: 'Which page it came from; `homepage` from the web app.',
      userAlbumId: 'The owner key of the album to search.',
    },
    answer: { redirectTo: `/selfie/results/${example.SUBMISSION_ID}` },
    errors: [
      refused(submitFields, { source: TOO_LONG }),
      badRequest('Please select a photo file'),
      unauthorized('Please open an album first'),
      ownerOnly,
      ...BAD_SELFIES,
      ...STORAGE_AWAY,
      away('The selfie could not be stored in time. Please try again.'),
    ],
  },

  'GET /results/{id}': {
    ...SUBMISSION,
    description:
      'Ask every two seconds until `processed` is true. Gone an hour after the selfie was handed in.',
    answer: { processed: true, totalMatches: 1, photos: [example.photo] },
  },

  'GET /photos/{id}': {
    ...SUBMISSION,
    description: 'Needed only where there are more than 20, which GET /results/{id} leaves out.',
    answer: { photos: [example.photo] },
  },

  'DELETE /submissions/{id}': {
    ...SUBMISSION,
    description: 'The selfie, if it is still there, and the results are deleted at once.',
    answer: { deleted: true },
    errors: STORAGE_AWAY,
  },

  'GET /gmail/auth-url': {
    who: 'maintainer',
    description:
      'Open the address in a browser, logged in to the account that letters are to be sent from. It is good for 15 minutes.',
    answer: example.authUrl,
    errors: NO_GOOGLE,
  },

  'GET /auth/gmail': {
    who: 'maintainer',
    description: 'As GET /gmail/auth-url.',
    answer: example.authUrl,
    errors: NO_GOOGLE,
  },

  'POST /gmail/callback': {
    who: 'maintainer',
    description:
      "The refresh token is kept encrypted and never answered; it is printed once on the server's console. Letters go through the account from then on, without a restart.",
    inputs: {
      code: 'The code, or the whole address that Google sent the browser to.',
      state: 'As it stands in that address; needed only where `code` is the bare code.',
    },
    request: { code: '4/0AVGzR1BexampleCode', state: 'exampleState' },
    answer: { hasRefreshToken: true },
    errors: [
      refused(exchangeCodeInput, { code: ' ' }),
      badRequest(
        'This code does not belong to an authorization of the last 15 minutes. Generate a new address and try again.',
      ),
      badRequest(
        'Google refused the authorization code. It is wrong, expired or already used. Generate a new address and try again.',
      ),
      badRequest('The permission was not given. Open the address again and allow Inframe to send mail.'),
      ...NO_GOOGLE,
      away('Google is currently unavailable. Please try again in a moment.', 30),
    ],
  },
}
