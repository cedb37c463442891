import { z } from 'zod'
import { ALBUM_NAME_MAX_LENGTH, EMAIL_MAX_LENGTH, PASSWORD_MAX_LENGTH } from './limits.ts'

/** Line breaks and other control characters have no place in a name, and would break a letter's headers. */
const CONTROL_CHARACTER = /\p{Cc}|\u2028|\u2029/u

const displayName = z
  .string('Please enter an album name')
  .refine((name) => !CONTROL_CHARACTER.test(name), 'An album name is one line of text')
  .trim()
  .min(1, 'Please enter an album name')
  .max(ALBUM_NAME_MAX_LENGTH, `An album name has at most ${ALBUM_NAME_MAX_LENGTH} characters`)

const email = z
  .string('Please enter an email address')
  .refine((address) => !CONTROL_CHARACTER.test(address), 'An email address is one line of text')
  .trim()
  .max(EMAIL_MAX_LENGTH, `An email address has at most ${EMAIL_MAX_LENGTH} characters`)
  .pipe(z.email('Please enter a valid email address'))

/** What a path names an album by; anything that is no slug simply is not found. */
const slug = z.string().max(500, 'This is longer than any album name')

/** The owner key or the public id. */
const albumReference = z.string().max(500, 'This is longer than any album id')

export const createAlbumInput = z.object({
  email,
  albumName: displayName,
  displayName: displayName.optional(),
})
export const createAlbumOutput = z.object({
  userAlbum: z.object({
    /** The owner key: whoever holds it is the owner. It is told once, here. */
    id: z.string(),
    albumName: z.string(),
    displayName: z.string(),
    createdAt: z.iso.datetime(),
  }),
})

export const albumSummary = z.object({
  id: z.string(),
  albumName: z.string(),
  displayName: z.string(),
  createdAt: z.iso.datetime(),
})
export type AlbumSummary = z.infer<typeof albumSummary>

export const listAlbumsOutput = z.array(albumSummary)

export const albumNameInput = z.object({ albumName: slug })

export const authStatusOutput = z.object({
  albumExists: z.boolean(),
  isAuthenticated: z.boolean(),
  displayName: z.string().nullable(),
})

export const authenticateInput = z.object({
  albumName: slug,
  password: z
    .string('Please enter the album password')
    .min(1, 'Please enter the album password')
    .max(PASSWORD_MAX_LENGTH, 'That is longer than any album password'),
})
export const authenticateOutput = z.object({ album: albumSummary })

export const albumByNameOutput = z.object({
  album: albumSummary.extend({
    albumPassword: z.string(),
    /** Whether this session created the album; the page shows the password to the owner only. */
    isOwner: z.boolean(),
  }),
})

export const progressInput = z.object({ id: albumReference })
export const progressOutput = z.object({
  totalPhotos: z.number().int(),
  photosUploadedToS3: z.number().int(),
  photosIndexedToRekognition: z.number().int(),
  isUploadingToS3: z.boolean(),
  isIndexingToRekognition: z.boolean(),
  isCompleted: z.boolean(),
})
export type Progress = z.infer<typeof progressOutput>

/** `id` is the owner key, or the album's public id in a session that owns it. */
export const ownedAlbumInput = z.object({ id: albumReference })

export const changePasswordOutput = z.object({ albumPassword: z.string() })

/** What was found of an erased album when every place was looked at again. */
export const remains = z.object({
  rowsRemaining: z.number().int(),
  filesRemaining: z.number().int(),
  facesRemaining: z.number().int(),
})
export type Remains = z.infer<typeof remains>

export const coverageOutput = z.object({
  photosStored: z.number().int(),
  photosSearchable: z.number().int(),
  facesFound: z.number().int(),
  /** Files that were refused and photos that were given up, the newest first; at most 1,000. */
  skippedFiles: z.array(z.object({ filename: z.string(), reason: z.string() })),
  /** Photos in which no face can be searched for; at most 1,000. */
  photosWithoutFace: z.array(z.object({ filename: z.string(), reason: z.string() })),
  /** Photos with faces of which some were seen but cannot be searched for; at most 1,000. */
  photosPartlySearchable: z.array(z.object({ filename: z.string(), reason: z.string() })),
})
