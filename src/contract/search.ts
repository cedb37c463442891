import { z } from 'zod'
import { consentFields } from './consent.ts'
import {
  ANSWERED_MAX_FACES,
  FOUND_PAGE_MAX_PHOTOS,
  MOST_POSSIBLE,
  REMEMBERED_DAYS,
  SEARCH_MAX_SELFIES,
  SEARCH_TOKEN_MAX_LENGTH,
} from './limits.ts'
import { pageSize } from './paging.ts'
import { filename } from './photos.ts'
import { SELFIE_ADVICE, type SelfieProblem } from './selfie-advice.ts'

/** Ids of faces, separated by commas. */
function faceIds(name: string, description: string) {
  const message = `${name} must be a list of at most ${ANSWERED_MAX_FACES} ids of faces, separated by commas`
  return z
    .string()
    .transform(partsOf)
    .pipe(z.array(z.uuid(message)).max(ANSWERED_MAX_FACES, message))
    .meta({ override: { type: 'string' }, description, example: EXAMPLE_OF_FACE })
    .optional()
}

const EXAMPLE_OF_FACE = '0f4d8f0a-6c1e-5b7d-9a3e-2c1b0a9f8e7d'

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

const token = (name: string, description: string) =>
  z
    .string()
    .max(SEARCH_TOKEN_MAX_LENGTH, `${name} is too long`)
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
      description: 'Gives only so many photos, the best matches. Without it: all photos.',
      example: 180,
    })
    .optional(),
  offset: z.coerce
    .number('offset must be a number')
    .pipe(z.int('offset must be a whole number').min(0, 'offset must be 0 or more'))
    .meta({
      description: 'Leaves out so many of the best matches: those that the client has, for the next page.',
      example: 0,
    })
    .optional(),
  faces: facePlaces(
    'faces',
    "Which face of each picture is the person, separated by commas: the numbers are the places in the `faces` of an earlier answer's `selfies`. The largest face is 0. It is searched for when a number is missing or there is no such face.",
  ),
  confirmed: faceIds(
    'confirmed',
    'Faces that the person has recognised as theirs, separated by commas: ids that the searches before the `searchToken` have given in `possible`. Any other id is refused. Send all answers each time; without `confirmed` and `rejected` those of the token count.',
  ),
  rejected: faceIds(
    'rejected',
    'Faces that the person has said are not theirs, separated by commas: ids from `possible` or `photos`. They are left out.',
  ),
  remember: z
    .stringbool('remember must be true or false')
    .meta({
      description: `Makes the \`searchToken\` valid for ${REMEMBERED_DAYS} days, so that later searches of this session need no selfie. Ask the person first: it is biometric data, and you are responsible for it while you keep it. Nothing of it is stored here.`,
      example: 'true',
    })
    .optional(),
  searchToken: token(
    'searchToken',
    'Repeats the search that has answered it, in place of `photo`. Beside it there may be pictures: further ones of the same person. Such calls count like selfies, and need no consent unless there are pictures.',
  ),
  otherSearchToken: token('otherSearchToken', 'The same for a second person, in place of `otherPhoto`.'),
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
export const faceBox = z
  .object({
    left: fraction('Distance from the left edge, as a fraction of the width.', 0.42),
    top: fraction('Distance from the top edge, as a fraction of the height.', 0.18),
    width: fraction('Width of the face, as a fraction of the width.', 0.12),
    height: fraction('Height of the face, as a fraction of the height.', 0.2),
  })
  .meta({ description: 'Where the face is in the upright picture.' })

export const matchedFace = z.object({
  id: z.string().meta({
    description:
      'For `rejected`, for `confirmed` if it is in question, and for `except` of POST /albums/{albumName}/opt-out.',
    example: EXAMPLE_OF_FACE,
  }),
  box: faceBox,
})

export type MatchedFace = z.infer<typeof matchedFace>

const foundPhoto = matchedPhoto.extend({
  face: matchedFace
    .optional()
    .meta({ description: 'The face that matched. Missing while the photo is indexed again.' }),
})
export type FoundPhoto = z.infer<typeof foundPhoto>

const possiblePhoto = matchedPhoto.extend({
  face: matchedFace.meta({ description: 'The face that the person should be asked about.' }),
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
  searchToken: z.string().optional().meta({
    description:
      'Repeats this search without its pictures: for the next photos, with all answers of the person, with a second person, for an opt-out, for letters, or for fresh addresses. For an hour, or longer with `remember`; for this session, and until the password changes. It holds what finds the person, encrypted; nothing of it is stored here. It gives no right to the album. Keep it secret, and never put it into an address. Missing when nothing stands in place of the pictures: while the album has no photo with a face, and with Amazon Rekognition when nothing was found.',
    example: 'Av9yQp3mXc7dRk…',
  }),
  otherSearchToken: z.string().optional().meta({
    description: 'The same for a second person.',
    example: 'Ab2kWn8sLf4hTz…',
  }),
  searchTokenEndsAt: z.iso
    .datetime()
    .optional()
    .meta({
      description: `Only with \`remember\`: when the token ends, at most ${REMEMBERED_DAYS} days from the first one.`,
      example: '2025-09-18T12:00:00.000Z',
    }),
  photoIds: z
    .array(z.string())
    .optional()
    .meta({
      description:
        'Only with `remember`: the ids of all photos that surely show the first person, so that a client can count the new ones of its next visit.',
      example: ['9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d'],
    }),
  optOut: z
    .object({
      count: z.number().int().meta({
        description:
          'How many faces POST /albums/{albumName}/opt-out takes out with the `searchToken`: those that were surely found, at most 1,000, and none that the person has only confirmed.',
        example: 1,
      }),
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
      'Faces were surely found, but this search does not show who is asking: a picture is one that the album has, or a screenshot or crop of it, or its pictures were sent more than an hour ago. To opt out, search with a new selfie.',
    example: true,
  }),
})
export type SearchOutput = z.infer<typeof searchOutput>
