import { z } from 'zod'
import { albumNameInput } from './albums.ts'
import { consentFields } from './consent.ts'
import {
  ANSWERED_MAX_FACES,
  FOUND_PAGE_MAX_PHOTOS,
  MOST_POSSIBLE,
  SEARCH_MAX_SELFIES,
  TICKET_DAYS,
  TICKET_MAX_LENGTH,
} from './limits.ts'
import { pageSize } from './paging.ts'
import { filename } from './photos.ts'
import { SELFIE_ADVICE, type SelfieProblem } from './selfie-advice.ts'

const EXAMPLE_OF_ASKED_FACE = 'w7mZ2kX0bW7sYtR3uV6m1A9Nj_RsHkt9mj4sGwqfjn0'

/** Ids of faces, separated by commas. */
function faceIds(name: string, description: string) {
  const message = `${name} must be a list of at most ${ANSWERED_MAX_FACES} ids of faces, separated by commas`
  return z
    .string()
    .transform(partsOf)
    .pipe(z.array(z.string().regex(FACE_ID, message)).max(ANSWERED_MAX_FACES, message))
    .meta({ override: { type: 'string' }, description, example: EXAMPLE_OF_ASKED_FACE })
    .optional()
}

/** A signed id of a face in question, or the uuid of one that was found. */
const FACE_ID = /^[\w-]{36,43}$/

const partsOf = (list: string) => (list === '' ? [] : list.split(','))

/** Places of faces, separated by commas. */
function facePlaces(name: string, description: string) {
  const message = `${name} must be a list of at most ${SEARCH_MAX_SELFIES} numbers, separated by commas`
  return z
    .string()
    .transform((list) => partsOf(list).map(Number))
    .pipe(z.array(z.int(message).min(0, message).max(999, message)).max(SEARCH_MAX_SELFIES, message))
    .meta({ override: { type: 'string' }, description, example: '0' })
    .optional()
}

const ticket = (name: string, description: string) =>
  z
    .string()
    .max(TICKET_MAX_LENGTH, `${name} is too long`)
    .meta({ description, example: 'AZ4uXb0qVw3kTg…' })
    .optional()

export const searchFields = consentFields.extend({
  albumName: z
    .string('albumName is missing')
    .min(1)
    .max(500)
    .toLowerCase()
    .meta({ description: "The album's url-safe name, as in its link." }),
  limit: pageSize(FOUND_PAGE_MAX_PHOTOS)
    .meta({
      description: 'Gives only so many photos, and the others in pages of so many. Without it: all photos.',
      example: 180,
    })
    .optional(),
  faces: facePlaces(
    'faces',
    "Which face of each picture is the person, separated by commas: the numbers are the places in the `faces` of an earlier answer's `selfies`. The largest face is 0. It is searched for when a number is missing or there is no such face.",
  ),
  confirmed: faceIds(
    'confirmed',
    'Faces that the person has recognised as theirs: the ids that searches of the same session have given in `possible`, separated by commas. Any other id is refused.',
  ),
  rejected: faceIds(
    'rejected',
    'Faces that the person has said are not theirs: ids that searches of the same session have given in `possible` or `photos`, separated by commas. They are left out.',
  ),
  remember: z
    .stringbool('remember must be true or false')
    .meta({
      description: `Asks for a \`ticket\`, with which later searches need no selfie. Ask the person first: the ticket is biometric data, and you are responsible for it while you keep it. Nothing of it is stored here.`,
      example: 'true',
    })
    .optional(),
  ticket: ticket(
    'ticket',
    'Searches by what an earlier search has answered, in place of `photo`: its `ticket` or its `searchTicket`. Beside a `searchTicket` there may be pictures: further ones of the same person. Such calls count like selfies, and need no consent unless there are pictures.',
  ),
  otherTicket: ticket(
    'otherTicket',
    'A ticket of a second person, in place of `otherPhoto`: a `ticket` or an `otherSearchTicket`.',
  ),
  otherFaces: facePlaces('otherFaces', 'Like `faces`, for `otherPhoto`.'),
  combine: z
    .enum(['both', 'either'], 'combine must be both or either')
    .meta({
      description:
        'With a second person: photos that show both, which is the default, or at least one of them. `confirmed`, `rejected` and `possible` are about the first person.',
      example: 'both',
    })
    .optional(),
})
export type Combination = NonNullable<z.infer<typeof searchFields>['combine']>
export type SearchFields = z.infer<typeof searchFields>

const exampleLink = (size: string, signature: string) =>
  `https://inframe.example/photos/9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d/${size}?e=1755625500&v=1&s=${signature}`

const FULL_SIZE = exampleLink('full', 'q2Zb7yWnT0mQ4xJd8rVkLw')

export const matchedPhoto = z.object({
  url: z.string().meta({
    description:
      'Full size, upright, with no metadata but the time at which it was taken. Addresses expire after an hour, and as soon as the password changes.',
    example: FULL_SIZE,
  }),
  thumbUrl: z.string().meta({
    description: 'WEBP of at most 640 pixels on its long side.',
    example: exampleLink('thumb', 'Xc5uH1oPzE9aGf6sNiYt3A'),
  }),
  previewUrl: z.string().meta({
    description:
      'JPEG of at most 2000 pixels on its long side, upright, to fill a screen. It has the same metadata as the full size.',
    example: exampleLink('preview', 'hY3pLw9VbKs0tRj5nFzD7A'),
  }),
  downloadUrl: z.string().meta({
    description: 'Full size, as an attachment with this filename.',
    example: exampleLink('download', 'mB8vK2jRdC7eLq4wUgSx0Q'),
  }),
  filename: filename.meta({
    description: 'The name of the download: as the client named the file, with the extension of its type.',
  }),
  width: z.number().int().meta({
    description: 'Width of the full-size photo, in pixels.',
    example: 4032,
  }),
  height: z.number().int().meta({
    description: 'Height of the full-size photo, in pixels.',
    example: 3024,
  }),
  placeholder: z.string().meta({
    description:
      'Twelve colours to show, blurred, while the photo loads: base64 of 36 bytes, red, green and blue of each, row by row. Four columns and three rows, or three columns and four rows for a photo that is higher than wide.',
    example: 'iHJgmYFsnoVwlHxojHVjpYpys5Z6o4dtXk5Dc2FUfmpbb15R',
  }),
  similarity: z.number().meta({ description: 'Similarity of the best matching face, 0–100.', example: 97.4 }),
})
export type MatchedPhoto = z.infer<typeof matchedPhoto>

const fraction = (description: string, example: number) => z.number().meta({ description, example })
const faceBox = z
  .object({
    left: fraction('Distance from the left edge, as a fraction of the width.', 0.42),
    top: fraction('Distance from the top edge, as a fraction of the height.', 0.18),
    width: fraction('Width of the face, as a fraction of the width.', 0.12),
    height: fraction('Height of the face, as a fraction of the height.', 0.2),
  })
  .meta({ description: 'Where the face is in the upright picture.' })

export const matchedFace = z.object({
  id: z.string().meta({
    description: 'For `rejected`, and for `except` of POST /albums/{albumName}/opt-out.',
    example: '0f4d8f0a-6c1e-5b7d-9a3e-2c1b0a9f8e7d',
  }),
  box: faceBox,
})

const askedFace = matchedFace.extend({
  id: z.string().meta({
    description: 'For `confirmed` and `rejected`, in this session and until the password changes.',
    example: EXAMPLE_OF_ASKED_FACE,
  }),
})

export type MatchedFace = z.infer<typeof matchedFace>

const foundPhoto = matchedPhoto.extend({
  face: matchedFace
    .optional()
    .meta({ description: 'The face that matched. Missing while the album moves to another face engine.' }),
})
export type FoundPhoto = z.infer<typeof foundPhoto>

const possiblePhoto = matchedPhoto.extend({
  face: askedFace.meta({ description: 'The face that the person should be asked about.' }),
})
export type PossiblePhoto = z.infer<typeof possiblePhoto>

const PROBLEMS = Object.keys(SELFIE_ADVICE) as [SelfieProblem, ...SelfieProblem[]]

const searchedSelfie = z.object({
  faces: z
    .array(z.object({ box: faceBox }))
    .meta({ description: 'The faces that can be searched for, the largest first.' }),
  searched: z
    .number()
    .int()
    .meta({ description: 'Which of the faces was searched for: its place in `faces`.', example: 0 }),
  problems: z.array(z.enum(PROBLEMS)).meta({
    description: 'Why this picture may miss photos, the most important first. Empty for a good picture.',
    example: [],
  }),
  isSomebodyElse: z.boolean().meta({
    description: 'This picture shows another person than the first one. It was left out of the search.',
    example: false,
  }),
})
export type SearchedSelfie = z.infer<typeof searchedSelfie>

export const searchOutput = z.object({
  matchedPhotos: z
    .array(z.string())
    .meta({ description: 'The full-size addresses only, best match first.', example: [FULL_SIZE] }),
  photos: z
    .array(foundPhoto)
    .meta({ description: 'The photos that surely show the person, best match first.' }),
  totalMatches: z
    .number()
    .int()
    .meta({ description: 'The number of photos that surely show the person.', example: 1 }),
  possible: z.array(possiblePhoto).max(MOST_POSSIBLE).meta({
    description:
      'Other photos that may show the person, best match first. Ask the person, and search again with the ids of the faces in `confirmed` and `rejected`.',
  }),
  selfies: z.array(searchedSelfie).meta({
    description:
      'What was seen in each picture that was sent, in that order. Empty while the album has no photo with a face.',
  }),
  otherSelfies: z
    .array(searchedSelfie)
    .optional()
    .meta({ description: 'Only with a second person: the same for the pictures of that person.' }),
  searchTicket: z.string().optional().meta({
    description:
      'Repeats this search without its pictures, as `ticket`, with all answers of the person in `confirmed` and `rejected`: for further photos, for a `ticket` that remembers the person, with a second person, or for fresh addresses. For an hour, for this session, and until the password changes. It holds what finds the person, encrypted; nothing of it is stored here. Missing for a person whose `ticket` was sent, and when nothing stands in place of the pictures: while the album has no photo with a face, and with Amazon Rekognition when nothing was found.',
    example: 'Av9yQp3mXc7dRk…',
  }),
  otherSearchTicket: z
    .string()
    .optional()
    .meta({ description: 'The same for a second person, as `otherTicket`.', example: 'Ab2kWn8sLf4hTz…' }),
  canRemember: z.boolean().meta({
    description:
      'Whether `remember` gives a ticket for this person. With Amazon Rekognition, only when a good face was surely found. Not while the album has no photo with a face, and not while some of its photos have moved to another face engine.',
    example: true,
  }),
  ticket: z
    .string()
    .optional()
    .meta({
      description: `Only with \`remember\`: finds this person again without a selfie, with what was confirmed and rejected. It works for this album until its password changes, and at most ${TICKET_DAYS} days from the first one. Only this service can read it. It gives no right to the album. Keep it secret, and never put it into an address.`,
      example: 'AZ4uXb0qVw3kTg…',
    }),
  ticketEndsAt: z.iso
    .datetime()
    .optional()
    .meta({ description: 'When the ticket ends.', example: '2025-09-18T12:00:00.000Z' }),
  photoIds: z
    .array(z.string())
    .optional()
    .meta({
      description:
        'Only with `remember` or `ticket`: the ids of all photos that surely show the first person, so that a client can count the new ones of its next visit.',
      example: ['9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'],
    }),
  optOut: z
    .object({
      faces: z.string().meta({
        description:
          'The faces that were surely found, for POST /albums/{albumName}/opt-out. Valid for an hour. It has at most 1,000 faces, and none that the person has only confirmed.',
        example: 'aKDkYJt6ZQ4n2m0kq3m0aZpQ2kX0bW7sYtR3uV6m1JqLw5',
      }),
      count: z.number().int().meta({ description: 'How many faces that are.', example: 1 }),
      canKeepOut: z.boolean().meta({
        description: 'Whether the person can also be kept out of photos that are added later.',
        example: true,
      }),
    })
    .optional()
    .meta({
      description: 'Missing when no face was surely found, of two persons, and with `optOutNeedsNewSelfie`.',
    }),
  optOutNeedsNewSelfie: z.literal(true).optional().meta({
    description:
      'Faces were surely found, but this search does not show who is asking: a picture is one that the album has, or a screenshot or crop of it, or there was a ticket and no picture. To opt out, search with a new selfie.',
    example: true,
  }),
  nextPages: z.array(z.string()).optional().meta({
    description:
      'Only with `limit`: the other pages in order, each as the `page` of GET /albums/{albumName}/found-photos.',
    example: [],
  }),
})
export type SearchOutput = z.infer<typeof searchOutput>

/** Any text that is not a page of the album is refused. */
export const foundPhotosInput = albumNameInput.extend({
  page: z.string().max(10_000, 'page is too long').meta({
    description: 'One of the `nextPages` that POST /search-in-album answered.',
    example: '9ZpQ2kX0bW7sYtR3uV6m1JqLw5-4f05rfEo7jC0eD5qLfCYM',
  }),
})
export const foundPhotosOutput = z.object({
  photos: z.array(matchedPhoto).meta({ description: 'Best match first.' }),
})
