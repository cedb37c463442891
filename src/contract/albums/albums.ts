import { z } from 'zod'
import { emailFault, plainEmailAddress } from '../addresses.ts'
import {
  ALBUM_NAME_MAX_LENGTH,
  CHANGE_MAX_PHOTOS,
  EMAIL_MAX_LENGTH,
  INVITE_CODE_MAX_LENGTH,
  PASSWORD_MAX_LENGTH,
} from '../limits.ts'
import { filename } from '../photos.ts'
import { UUID } from '../uuid.ts'
import { ONLY_JPEG_AND_PNG } from '../wording.ts'
import { albumSettings } from './album-settings.ts'

/** A name is one line. A line break in it would also break the headers of a letter. */
const CONTROL_CHARACTER = /\p{Cc}|\u2028|\u2029/u

const enteredName = z
  .string('Please enter an album name')
  .refine((name) => !CONTROL_CHARACTER.test(name), 'An album name is one line of text')
  .trim()
  .min(1, 'Please enter an album name')
  .max(ALBUM_NAME_MAX_LENGTH, `An album name has at most ${ALBUM_NAME_MAX_LENGTH} characters`)

export const emailAddress = z
  .string('Please enter an email address')
  .refine((address) => !CONTROL_CHARACTER.test(address), 'An email address is one line of text')
  .overwrite(plainEmailAddress)
  .max(EMAIL_MAX_LENGTH, `An email address has at most ${EMAIL_MAX_LENGTH} characters`)
  .superRefine((address, { addIssue }) => {
    const fault = emailFault(address)
    if (fault) addIssue({ code: 'custom', message: fault })
  })
const email = emailAddress.meta({
  description: 'The address that the letter is sent to when all photos are indexed. One line.',
  example: 'organiser@example.com',
})

const count = z.number().int()
const publicId = z.string().meta({
  description: "The album's public id. It gives no right to the album.",
  example: '3f1b2c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
})
const albumPassword = z
  .string()
  .meta({ description: 'The password that guests enter.', example: 'k7wd-3mzt-x9rb' })
const shownName = z
  .string()
  .meta({ description: 'The name that pages and letters show.', example: 'My Summer Wedding, 2025' })

/** The slug in a path. A text that is not a slug is answered with "not found". People type capital letters, too. */
const slug = z.string().max(500, 'The album name is too long').toLowerCase().meta({
  description: "The album's url-safe name, as in its link.",
  example: 'my-summer-wedding-2025',
})

/** The owner key or the public id. */
const albumReference = z.string().max(500, 'The album id is too long')
const OWNER_KEY = 'Fb3xampleOwnerKeyDoNotShareIt0zQ'

export const createAlbumInput = z.object({
  email,
  albumName: enteredName.meta({
    description:
      'The name that the url-safe name in the link is made from. One line; blanks around it are removed.',
    example: 'My Summer Wedding, 2025',
  }),
  displayName: enteredName.optional().meta({
    description: 'The name that pages and letters show. Without it they show `albumName`.',
    example: 'My Summer Wedding, 2025',
  }),
  inviteCode: z
    .string('Please enter an invitation code')
    .max(INVITE_CODE_MAX_LENGTH, `An invitation code has at most ${INVITE_CODE_MAX_LENGTH} characters`)
    .optional()
    .meta({
      description: 'Needed where albums are created by invitation only. Only its letters and digits count.',
      example: 'k7wd-3mzt-x9rb',
    }),
})

export const albumSummary = z.object({
  id: publicId,
  albumName: z.string().meta({
    description: 'The url-safe name. The album is shown at /album/{albumName}.',
    example: 'my-summer-wedding-2025',
  }),
  displayName: shownName,
  createdAt: z.iso
    .datetime()
    .meta({ description: 'When it was created, in UTC.', example: '2025-08-19T16:30:00.000Z' }),
})
export type AlbumSummary = z.infer<typeof albumSummary>

export const createAlbumOutput = z.object({
  userAlbum: albumSummary
    .extend({
      id: z.string().meta({
        description: 'The owner key. It gives the rights of the owner. No other answer contains it.',
        example: OWNER_KEY,
      }),
    })
    .meta({ description: 'The new album, as its owner knows it.' }),
})

export const albumNameInput = z.object({ albumName: slug })

export const authStatusOutput = z.object({
  albumExists: z
    .boolean()
    .meta({ description: 'False: no album has been created under this name.', example: true }),
  isAuthenticated: z
    .boolean()
    .meta({ description: 'Whether this session may see the album.', example: false }),
  displayName: z.string().nullable().meta({
    description: 'The name that pages and letters show; null for an unknown album.',
    example: 'My Summer Wedding, 2025',
  }),
  opensAt: z.iso.datetime().nullable().meta({
    description:
      'When this session may see the album, because it has sent the password too early. Otherwise null.',
    example: null,
  }),
  isClosed: z.boolean().meta({
    description: 'Whether this session has the password, and the organiser has closed the album to guests.',
    example: false,
  }),
})

export const authenticateInput = z.object({
  albumName: slug,
  password: z
    .string('Please enter the album password')
    .min(1, 'Please enter the album password')
    .max(PASSWORD_MAX_LENGTH, 'The album password is too long')
    .meta({ description: "The album's password.", example: 'k7wd-3mzt-x9rb' }),
  byCode: z.boolean('byCode must be true or false').optional().meta({
    description:
      'Whether the password is from a code that holds it. Such a code lets in only while the setting `scanAndGo` is on.',
    example: false,
  }),
})
export const authenticateOutput = z.object({ album: albumSummary.meta({ description: 'The album.' }) })

export const logOutInput = z.object({
  albumName: slug.optional().meta({
    description: "The album's url-safe name. Without it the session leaves all albums.",
    example: 'my-summer-wedding-2025',
  }),
})
export const logOutOutput = z.object({
  albumsLeft: count.meta({ description: 'The number of albums that the session has left.', example: 1 }),
})

const cover = z.object({
  url: z.string().meta({
    description: 'The address of the photo at preview size. It is valid for an hour.',
    example: 'https://photos.example.com/photos/9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d/preview?v=1&e=1',
  }),
  width: count.meta({ description: 'Of the photo, in pixels.', example: 4000 }),
  height: count.meta({ description: 'Of the photo, in pixels.', example: 3000 }),
  facesAt: z.number().min(0).max(1).meta({
    description: 'How far below its top the highest head is, as a fraction of its height.',
    example: 0.33,
  }),
})

export const albumByNameOutput = z.object({
  album: albumSummary
    .extend({
      albumPassword,
      isOwner: z.boolean().meta({
        description:
          'Whether this session has the right of the owner. A client shows the password to the owner only.',
        example: true,
      }),
      ...albumSettings.omit({ coverId: true }).shape,
      cover: cover.nullable().meta({ description: 'The photo above the name; null when there is none.' }),
    })
    .meta({ description: 'The album.' }),
})
export type EnteredAlbum = z.infer<typeof albumByNameOutput>['album']

export const progressInput = z.object({
  id: albumReference.meta({
    description: "The owner key; or, in a session that may see the album, the album's public id.",
    example: OWNER_KEY,
  }),
})
export const progressOutput = z.object({
  totalPhotos: count.meta({
    description: 'The number of photos intended. It is never below the number of photos stored.',
    example: 6,
  }),
  photosUploadedToS3: count.meta({
    description: 'The number of photos stored so far, in any kind of storage.',
    example: 6,
  }),
  photosIndexedToRekognition: count.meta({
    description:
      'The number of photos settled so far, by the configured face engine: searchable, or given up.',
    example: 4,
  }),
  isUploadingToS3: z.boolean().meta({ description: 'Whether more photos are expected.', example: false }),
  isIndexingToRekognition: z
    .boolean()
    .meta({ description: 'Whether stored photos still wait for the face engine.', example: true }),
  isCompleted: z.boolean().meta({
    description:
      'Whether the album is complete. It stays so while photos are added later, but not while all its photos are indexed again by another face engine.',
    example: false,
  }),
  isOfAnotherEngine: z.boolean().meta({
    description:
      'Whether the face engine was changed, so that no photo is found until the maintainer lets the album be indexed again.',
    example: false,
  }),
  facesEndedAt: z.iso.datetime().nullable().meta({
    description:
      'When the faces of the album were deleted, long after its last upload: nobody is found any more, and the photos are still there. Null while they can be searched.',
    example: null,
  }),
  photosPerMinute: z.number().nullable().meta({
    description:
      'How many photos a minute were settled lately, measured over about two minutes. Null while that is unknown: at first, after a minute without a settled photo, and when none is left.',
    example: 120.5,
  }),
  secondsLeft: count.nullable().meta({
    description:
      'About how many seconds it takes at this rate until all photos in `totalPhotos` are settled, photos that are still being uploaded included. Null while `photosPerMinute` is null, and during an upload that did not say how many photos will come.',
    example: 1,
  }),
})
export type Progress = z.infer<typeof progressOutput>

export const ownedAlbumInput = z.object({
  id: albumReference.meta({
    description: "The owner key; or, in a session of the owner, the album's public id.",
    example: OWNER_KEY,
  }),
})

export const renewOwnerKeyOutput = z.object({
  ownerKey: z.string().meta({
    description: 'The new owner key. No other answer contains it.',
    example: OWNER_KEY,
  }),
})

const displayName = enteredName.meta({
  description: 'The name that pages and letters show. One line; blanks around it are removed.',
  example: 'My Summer Wedding, 2025',
})
export const renameInput = ownedAlbumInput.extend({ displayName })
export const renameOutput = z.object({ displayName: shownName })

const NUMBER_OF_PHOTOS = `photoIds must be 1 to ${CHANGE_MAX_PHOTOS} ids of photos`
export const photosInput = ownedAlbumInput.extend({
  photoIds: z
    .array(z.string().regex(UUID, NUMBER_OF_PHOTOS), NUMBER_OF_PHOTOS)
    .min(1, NUMBER_OF_PHOTOS)
    .max(CHANGE_MAX_PHOTOS, NUMBER_OF_PHOTOS)
    .meta({
      description: 'The ids of the photos, as they stand in their addresses: `/photos/{id}/full`.',
      example: ['9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'],
    }),
})
export const deletePhotosOutput = z.object({
  photosDeleted: count.meta({
    description: 'The number of photos deleted. Ids of photos that the album does not have are not counted.',
    example: 1,
  }),
})

export const changeSettingsInput = ownedAlbumInput.extend(albumSettings.partial().shape)

export const changePasswordOutput = z.object({ albumPassword })

/** What remains of an erased album. */
export const remains = z.object({
  rowsRemaining: count.meta({ description: 'Rows in the database.', example: 0 }),
  filesRemaining: count.meta({
    description:
      'Files in the storage, and letters in the outbox. Until a large album was checked, each of its photos counts as one file.',
    example: 0,
  }),
  facesRemaining: count.meta({ description: 'Faces in the face engine.', example: 0 }),
})
export type Remains = z.infer<typeof remains>

/** What happened to all files. Those that were sent are stored or skipped, and each stored photo is searchable, of nobody, unclear,
 *  hidden, given up, or waits. */
export const coverageOutput = z.object({
  filesSent: count.meta({
    description: 'The number of files sent: those stored and those skipped.',
    example: 7,
  }),
  filesSkipped: count.meta({ description: 'The number of files that were refused.', example: 1 }),
  photosStored: count.meta({ description: 'The number of photos in the album.', example: 6 }),
  photosSearchable: count.meta({
    description: 'Photos with at least one face that a selfie can find, or could until the faces ended.',
    example: 5,
  }),
  photosOfNobody: count.meta({ description: 'Photos in which no face was found.', example: 1 }),
  photosUnclear: count.meta({
    description: 'Photos of which all faces are too small or unclear to be searched for.',
    example: 0,
  }),
  photosHidden: count.meta({
    description: 'Photos that the owner has hidden. Nobody else sees them.',
    example: 0,
  }),
  photosGivenUp: count.meta({
    description: 'Photos that could not be searched for faces.',
    example: 0,
  }),
  photosWaiting: count.meta({ description: 'Photos that wait for the face engine.', example: 0 }),
  photosPartlySearchable: count.meta({
    description: 'Of the searchable photos, those of which some faces are too small or unclear.',
    example: 2,
  }),
  facesFound: count.meta({
    description: 'The number of faces in all photos together, with those that have opted out.',
    example: 22,
  }),
  facesOptedOut: count.meta({
    description:
      'Faces that guests have opted out. Those in photos that were added later are not counted, so that the number does not tell whose they are.',
    example: 0,
  }),
  skippedFiles: z
    .array(
      z.object({
        filename,
        reason: z.string().meta({ description: 'The reason, in words for the owner.' }),
      }),
    )
    .meta({
      description: 'The files that were refused, the newest first, at most 1,000.',
      example: [{ filename: 'notes.jpg', reason: ONLY_JPEG_AND_PNG }],
    }),
})
export type Coverage = z.infer<typeof coverageOutput>
