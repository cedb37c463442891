import { z } from 'zod'
import type { ZodOpenApiOperationObject } from 'zod-openapi'
import { ownerKeyChanged, ownerOnly } from '../albums/access.ts'
import { consentNeeded } from '../albums/consent.ts'
import { RATE_LIMITS, tooManyCalls } from '../albums/rate-limits.ts'
import { type CallDocs, invalidExample, TOO_LONG } from '../api/call-docs.ts'
import { ownedAlbumInput } from '../contract/albums.ts'
import { BATCH_SIZE, SEARCH_MAX_SELFIES } from '../contract/limits.ts'
import { uploadFields, uploadOutput } from '../contract/photos.ts'
import { searchFields, searchOutput } from '../contract/search.ts'
import { submitFields, submitOutput } from '../contract/submissions.ts'
import {
  engineStopping,
  faceTooDark,
  faceTooSmall,
  noFaceFound,
  pictureEndsEngine,
  pictureTooLarge,
  pictureTooSlow,
} from '../faces/errors.ts'
import { photoTooLarge } from '../photos/accept.ts'
import {
  crashesTheDecoder,
  damagedImage,
  decodersDown,
  decodersStopping,
  emptyFile,
  notAPhoto,
  selfieHasTooManyPixels,
  takesTooLong,
  takesTooMuchMemory,
  tooManyPixels,
} from '../photos/picture-errors.ts'
import { notAsked } from '../search/find-in-album.ts'
import { searchEnded, searchOfFormerPassword, searchUnknown } from '../search/search-token.ts'
import { manySearches, notAPicture, tooManySelfies } from '../search/selfie.ts'
import { selfieNotStored } from '../search/submit-selfie.ts'
import { storageFull, storageUnavailable } from '../storage/errors.ts'
import { diskAlmostFull } from '../storage/free-disk.ts'
import { noUsableFile } from '../uploads/accept-batch.ts'
import { tooManyBytesInAlbum, tooManyPhotosInAlbum } from '../uploads/quota.ts'
import { requestFault } from './errors.ts'
import { formTooLong, unexpectedFile } from './forms.ts'
import { noSelfieChosen } from './search-query.ts'
import { selfieTooLarge } from './selfie-form.ts'
import { noAlbumOpened, noPhotoSelected } from './selfies.ts'
import { tooManyUploads } from './staging.ts'
import { noPhotosSent } from './uploads.ts'

interface FormCall {
  path: string
  /** The path that comes next in the document. */
  before: string
  operation: ZodOpenApiOperationObject
  docs: CallDocs
  errorSchema?: 'UploadError'
}

/** OpenAPI 3.1 describes a file by `contentMediaType`. Tools made for 3.0 look for `format`. */
const file = z
  .string()
  .meta({ override: { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' } })
const photos = z.array(file).min(1).max(BATCH_SIZE).meta({
  description:
    'JPEG or PNG, at most 5 MB (5,242,880 bytes) and 64 megapixels each. The field is repeated for each photo.',
})
const selfie = file.meta({
  override: { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' },
  description: 'One picture of at most 10 MB that shows your face: JPEG, PNG, GIF or WEBP.',
})

const selfies = z
  .array(file)
  .min(1)
  .max(SEARCH_MAX_SELFIES)
  .meta({
    description: `1 to ${SEARCH_MAX_SELFIES} pictures of one person, of at most 10 MB each: JPEG, PNG, GIF or WEBP. The field is repeated for each picture. More pictures find more photos.`,
  })
  .optional()
const otherSelfies = z
  .array(file)
  .max(SEARCH_MAX_SELFIES)
  .meta({ description: 'Pictures of a second person. All pictures together may have 30 MB.' })
  .optional()

const QUOTA = { photos: 100_000, bytes: 500e9 }
const HUGE = { width: 30_000, height: 30_000 }
const DECODER_ERRORS = [
  takesTooLong(),
  takesTooMuchMemory(),
  crashesTheDecoder(),
  decodersStopping(),
  decodersDown(),
]
const SELFIE_ERRORS = [
  ...DECODER_ERRORS,
  damagedImage(),
  unexpectedFile('selfie', 'photo'),
  selfieTooLarge(),
  selfieHasTooManyPixels(HUGE),
  notAPicture(),
  tooManyCalls(RATE_LIMITS.selfie),
  manySearches(),
  consentNeeded(),
]

/** The calls that take files. They are not procedures, so the document gets them from here. Their routes are in
 *  `uploads.ts` and read and answer with the same schemas. */
export const FORM_CALLS: FormCall[] = [
  {
    path: '/search-in-album',
    before: '/albums/{id}/finish-upload',
    operation: {
      operationId: 'searchInAlbum',
      summary: 'Find the photos of an album that show a person',
      description:
        'The call is the consent of the persons who are searched for (see Consent). Search by one to three selfies of the person, or by the `searchToken` of an earlier search. Selfies are held in memory only, for this call: to search again within an hour, send the `searchToken` of the answer. `photos` are those that surely show the person, and `possible` those that the person has to be asked about. When nothing is found the lists are empty; this is no error. Send `albumName` before the photo: then a call that is not allowed is refused before the photo is sent.',
      tags: ['albums'],
      ...selfieForm({ photo: selfies, otherPhoto: otherSelfies }, searchFields),
      responses: answer(searchOutput),
    },
    docs: {
      caller: 'guest',
      errors: [
        invalidExample(searchFields, {}),
        noSelfieChosen(),
        formTooLong(),
        searchEnded(),
        searchOfFormerPassword(),
        searchUnknown(),
        notAsked(),
        tooManySelfies(SEARCH_MAX_SELFIES),
        ...SELFIE_ERRORS,
        noFaceFound(),
        faceTooSmall(),
        faceTooDark(),
        engineStopping(),
        pictureTooSlow(),
        pictureTooLarge(),
        pictureEndsEngine(),
      ],
    },
  },
  {
    path: '/albums/{userAlbumId}/upload-photos',
    before: '/albums/{id}/finish-upload',
    operation: {
      operationId: 'uploadPhotos',
      summary: 'Store photos',
      description: `Up to ${BATCH_SIZE} photos in a request; more photos need more requests. Each photo is checked by itself. The answer is 200 as soon as one is stored, and its \`files\` say what happened to each. A photo that is already in the album counts as successful and is stored once, so a batch can be sent again. The answer is an error when none is stored.`,
      tags: ['owner'],
      requestParams: { path: z.object({ userAlbumId: z.string().meta(ownedAlbumInput.shape.id.meta()!) }) },
      ...form(z.object({ photos }).extend(uploadFields.shape), {
        photos: 'image/jpeg, image/png',
      }),
      responses: answer(uploadOutput),
    },
    docs: {
      caller: 'owner',
      errors: [
        invalidExample(uploadFields, { totalIntendedPhotos: 'many' }),
        noPhotosSent(),
        unexpectedFile('files', 'photos'),
        noUsableFile('BAD_REQUEST'),
        tooManyCalls(RATE_LIMITS.upload),
        emptyFile(),
        damagedImage(),
        requestFault('FST_FILES_LIMIT'),
        photoTooLarge(),
        tooManyPixels(HUGE),
        notAPhoto(),
        tooManyPhotosInAlbum(QUOTA),
        tooManyBytesInAlbum(QUOTA),
        tooManyUploads(),
        ownerKeyChanged(),
        diskAlmostFull(),
        ...DECODER_ERRORS,
        storageFull(),
        storageUnavailable(),
      ],
    },
    errorSchema: 'UploadError',
  },
  {
    path: '/submit-photo',
    before: '/results/{id}',
    operation: {
      operationId: 'submitPhoto',
      summary: 'Submit a selfie; the results page shows the photos that it finds',
      description:
        'The call is the consent of the person in the selfie (see Consent). Searches the album of `userAlbumId`, or without one all albums that the session may see. Ask GET /results/{id} with the id at the end of `redirectTo`. `/selfie/no-results` means that nothing can be found: the selfie shows no face, or the albums have none. The selfie is deleted as soon as it is matched, and at the latest after five minutes. Send `userAlbumId` before the photo, above all without a session: callers whose right is not known yet have narrow limits.',
      tags: ['submissions'],
      ...selfieForm({ photo: selfie }, submitFields),
      responses: answer(submitOutput),
    },
    docs: {
      caller: 'guestOrOwner',
      errors: [
        invalidExample(submitFields, { source: TOO_LONG }),
        noPhotoSelected(),
        diskAlmostFull(),
        tooManySelfies(1),
        noAlbumOpened(),
        ownerOnly(),
        ...SELFIE_ERRORS,
        storageFull(),
        storageUnavailable(),
        selfieNotStored(),
      ],
    },
  },
]

function selfieForm(files: Record<string, z.ZodType>, fields: z.ZodObject) {
  const types = Object.keys(files).map((field) => [field, 'image/jpeg, image/png, image/gif, image/webp'])
  return form(z.object(files).extend(fields.shape), Object.fromEntries(types))
}

/** @param files the media types of each field that is a file */
function form(schema: z.ZodObject, files: Record<string, string>) {
  const encoding = Object.fromEntries(
    Object.entries(files).map(([field, contentType]) => [field, { contentType }]),
  )
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema, encoding } } } }
}

function answer(schema: z.ZodType) {
  return { 200: { description: 'Successful response', content: { 'application/json': { schema } } } }
}
