import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { BATCH_SIZE } from '../contract/limits.ts'
import { uploadFields, uploadOutput } from '../contract/photos.ts'
import { searchFields, searchOutput } from '../contract/search.ts'
import { submitFields, submitOutput } from '../contract/submissions.ts'

/** OpenAPI 3.1 describes a file by `contentMediaType`; tools made for 3.0 look for `format`. */
const file = z
  .string()
  .meta({ override: { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' } })

/** The calls that take files. They are no procedures, so they are described here, from the schemas that their
 *  routes (src/http/uploads.ts) read and answer with. */
export const FORM_CALLS: ZodOpenApiPathsObject = {
  '/albums/{userAlbumId}/upload-photos': {
    post: {
      operationId: 'uploadPhotos',
      summary: 'Store photos',
      tags: ['owner'],
      requestParams: { path: z.object({ userAlbumId: z.string() }) },
      ...form(z.object({ photos: z.array(file).min(1).max(BATCH_SIZE) }).extend(uploadFields.shape), {
        photos: 'image/jpeg, image/png',
      }),
      responses: answer(uploadOutput),
    },
  },
  '/search-in-album': {
    post: {
      operationId: 'searchInAlbum',
      summary: 'Find the photos of an album that show the face of a selfie',
      tags: ['albums'],
      ...selfieForm(searchFields),
      responses: answer(searchOutput),
    },
  },
  '/submit-photo': {
    post: {
      operationId: 'submitPhoto',
      summary: 'Hand in a selfie, to be matched while the visitor waits on the results page',
      tags: ['submissions'],
      ...selfieForm(submitFields),
      responses: answer(submitOutput),
    },
  },
}

function selfieForm(fields: z.ZodObject) {
  return form(z.object({ photo: file }).extend(fields.shape), {
    photo: 'image/jpeg, image/png, image/gif, image/webp',
  })
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
