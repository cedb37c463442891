import { z } from 'zod'
import { ownedAlbumInput, photosInput } from './albums/albums.ts'
import { CAMERA } from './camera.ts'
import { PAGE_MAX_PHOTOS, PHOTOS_LOADED_AT_ONCE } from './limits.ts'
import { cursorOf, pageSize } from './paging.ts'
import { PHOTO_KINDS } from './photo-kinds.ts'
import { filename } from './photos.ts'
import { faceBox } from './search.ts'
import { resultPhoto } from './submissions.ts'
import { TIME_UUID_AND_FILENAME } from './uuid.ts'

const PHOTO_ID = '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'
const CURSOR = `1755621000000000.${PHOTO_ID}.IMG_0001.jpg`
const count = z.number().int()

const camera = z.string().regex(CAMERA, 'This is not a name of a camera').meta({
  description: 'Its maker and model, and the last characters of its serial number.',
  example: 'Canon EOS R5 (0042)',
})
const clockTime = z.string().meta({
  description: "By the camera's clock, with the shift of the owner.",
  example: '2025-08-19T14:03:22',
})
const hour = z
  .string()
  .refine(
    (text) => /^\d{4}-\d\d-\d\dT\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}:00Z`)),
    'An hour is a text such as 2025-08-19T14',
  )
  .meta({ description: 'An hour in the order of the photos.', example: '2025-08-19T14' })
export const ownerPhotosInput = ownedAlbumInput.extend({
  which: z
    .enum(['all', 'partly', ...PHOTO_KINDS])
    .default('all')
    .meta({
      description:
        'Which photos: `partly` are the searchable ones of which some faces are left out. Without it: all.',
    }),
  camera: camera.meta({ description: 'Only photos of this camera.' }).optional(),
  hour: hour.meta({ description: 'Only photos of this hour.' }).optional(),
  limit: pageSize(PAGE_MAX_PHOTOS)
    .default(PHOTOS_LOADED_AT_ONCE)
    .meta({ description: 'The largest number of photos in the answer.' }),
  cursor: cursorOf(TIME_UUID_AND_FILENAME)
    .meta({
      description: 'The `nextCursor` of the previous page. Without it: the first page.',
      example: CURSOR,
    })
    .optional(),
})
export type OwnerPhotosWanted = Omit<z.output<typeof ownerPhotosInput>, 'id'>
export type WhichPhotos = OwnerPhotosWanted['which']

export const ownerPhoto = resultPhoto.extend({
  id: z.string().meta({ description: 'As it stands in its addresses.', example: PHOTO_ID }),
  kind: z.enum(PHOTO_KINDS).meta({ description: 'What it is to the owner.', example: 'searchable' }),
  reason: z.string().nullable().meta({
    description: 'Why it cannot be searched for, or not all of its faces can; null when they can.',
    example: '2 faces cannot be searched for: too small',
  }),
  faces: count.nullable().meta({
    description: 'The number of its faces; null until it has been searched for them.',
    example: 3,
  }),
  takenAt: clockTime.nullable().meta({
    description: "When it was taken, by the camera's clock with the shift of the owner; null when unknown.",
  }),
  camera: camera.nullable().meta({
    description: 'Its camera; null when the file does not say it.',
    example: 'Canon EOS R5 (0042)',
  }),
})
export type OwnerPhoto = z.infer<typeof ownerPhoto>

export const ownerPhotosOutput = z.object({
  photos: z.array(ownerPhoto).meta({
    description: 'In the order in which they were taken, or else uploaded, and then by their names.',
  }),
  nextCursor: z
    .string()
    .optional()
    .meta({ description: 'The `cursor` of the next page. Missing on the last page.', example: CURSOR }),
})
export type OwnerPhotosPage = z.infer<typeof ownerPhotosOutput>

export const photoDetailsInput = ownedAlbumInput.extend({
  photoId: z.string().max(100, 'This is not an id of a photo').meta({
    description: 'The id of the photo, as it stands in its addresses.',
    example: PHOTO_ID,
  }),
})
export const photoDetailsOutput = ownerPhoto.extend({
  sentAs: filename,
  bytes: count.meta({ description: 'The size of the original.', example: 2_400_000 }),
  addedAt: z.iso
    .datetime()
    .meta({ description: 'When it was uploaded, in UTC.', example: '2025-08-20T09:00:00.000Z' }),
  cameraTime: z.string().nullable().meta({
    description: "When it was taken, as the file says it, with the clock's offset from UTC if that is known.",
    example: '2025-08-19T13:03:22+02:00',
  }),
  shiftMinutes: count.meta({ description: 'What the owner adds to the clock of its camera.', example: 60 }),
  faceBoxes: z.array(faceBox).meta({ description: 'Where its faces are.' }),
  leftOut: z
    .array(
      z.object({
        box: faceBox,
        reason: z.string().meta({ description: 'Why it is left out.', example: 'too small' }),
      }),
    )
    .meta({ description: 'Faces that cannot be searched for.' }),
})
export type PhotoDetails = z.infer<typeof photoDetailsOutput>

export const hidePhotosInput = photosInput.extend({
  // Not z.boolean(): over REST, trpc-openapi would read any text as true.
  hidden: z.literal([true, false], 'hidden must be true or false').meta({
    description: 'Whether to hide the photos. False shows them again.',
    example: true,
  }),
})
export const hidePhotosOutput = z.object({
  photosChanged: count.meta({ description: 'The number of photos hidden or shown.', example: 1 }),
  photosStayHidden: count.meta({
    description: 'Photos that stay hidden because a guest has asked, which the owner has answered.',
    example: 0,
  }),
})

export const retryOutput = z.object({
  photosWaiting: count.meta({ description: 'The number of photos that are tried again.', example: 1 }),
})

export const camerasOutput = z.object({
  cameras: z
    .array(
      z.object({
        camera,
        first: clockTime.meta({ description: 'When its first photo was taken.' }),
        last: clockTime.meta({ description: 'When its last photo was taken.' }),
        shiftMinutes: count.meta({ description: 'What the owner adds to its clock.', example: 60 }),
      }),
    )
    .meta({ description: 'The cameras that the photos name, at most 100.' }),
  hours: z
    .array(z.string())
    .meta({ description: 'The hours that have photos, at most 500.', example: ['2025-08-19T14'] }),
})
export type Cameras = z.infer<typeof camerasOutput>

/** 50 years. */
export const SHIFT_MAX_MINUTES = 50 * 366 * 24 * 60
const MINUTES = 'minutes must be a whole number, and at most 50 years'
export const shiftCameraInput = ownedAlbumInput.extend({
  camera,
  minutes: z
    .number(MINUTES)
    .int(MINUTES)
    .min(-SHIFT_MAX_MINUTES, MINUTES)
    .max(SHIFT_MAX_MINUTES, MINUTES)
    .meta({
      description: 'What to add to the clock of the camera, instead of a former shift. 0 undoes it.',
      example: 60,
    }),
})
