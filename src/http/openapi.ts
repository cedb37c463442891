import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { generateOpenApiDocument } from 'trpc-openapi'
import { z } from 'zod'
import type { oas31, ZodOpenApiOperationObject } from 'zod-openapi'
import { appRouter } from '../api/router.ts'
import { ownedAlbumInput } from '../contract/albums/albums.ts'
import { BATCH_SIZE, SEARCH_MAX_SELFIES } from '../contract/limits.ts'
import { uploadFields, uploadOutput } from '../contract/photos.ts'
import { searchFields, searchOutput } from '../contract/search.ts'
import { submitFields, submitOutput } from '../contract/submissions.ts'
import { CONSENT, PARENTS_CONSENT } from '../contract/wording.ts'
import { JSON_TYPE, sendCurrent } from './compression.ts'
import { errorResponses, errorSchema, errorsOf } from './openapi-errors.ts'

const DESCRIPTION = `Event photo albums in which guests find themselves with a selfie.

Payloads are JSON unless a call says otherwise, and so are answers. A POST without a payload takes \`{}\`.

**Who is who.** The session is an encrypted cookie. Creating an album sets it, and so does entering one; send it back with each call. POST /log-out ends it, together with all copies of the cookie. The owner key is the \`userAlbum.id\` in the answer to creating an album, or the \`ownerKey\` in the answer to POST /albums/{id}/owner-key, and in no other answer. Use it for \`{id}\` and \`{userAlbumId}\` in the address. It gives the rights of the owner, with or without the cookie. \`album.id\` in all other answers is public and gives no right.

**Errors.** The body of every error is \`{message, error, code, reason, requestId}\`. \`error\` is equal to \`message\`. Programs decide by \`reason\`. For invalid input there is also \`issues\`. What is no readable HTTP request is answered with 400, 408 or 431, and without a body. A service that has a public address answers 400 to requests for other host names. An unknown address answers 404.

**Browsers.** A call that changes something is refused with 403 when it comes from the page of another site.

**Consent.** A call with a selfie is the consent of the person in it, so show them what they agree to before you make it: "${CONSENT.text}" For a child, only a parent or guardian may make the call. In an album with the setting \`forChildren\` they agree to this: "${PARENTS_CONSENT.tick}" An album with the setting \`consentTick\` needs the field \`consent=true\`, for a box that the person has ticked. Inframe counts the consents of each album by their version and minute, and keeps nothing about the person. The counts are deleted with the album.

**Photos** have addresses that expire after an hour, and as soon as the album's password changes. They need no cookie. Those of guests work only while the album is open.`

/** OpenAPI 3.1 describes a file by `contentMediaType`. Tools made for 3.0 look for `format`. */
const file = (description: string) =>
  z.string().meta({
    override: { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' },
    description,
  })
const PICTURE = 'Of at most 10 MB: JPEG, PNG, GIF or WEBP.'
const pictures = (description: string) => z.array(file(PICTURE)).max(SEARCH_MAX_SELFIES).meta({ description })

/** The calls that take files. They are not procedures; their routes, in `uploads.ts`, use the same schemas. */
const FORM_CALLS: Record<string, ZodOpenApiOperationObject> = {
  '/albums/{userAlbumId}/upload-photos': {
    ...form({
      name: 'albums-uploadPhotos',
      summary: `Store up to ${BATCH_SIZE} photos, and say what happened to each`,
      input: uploadFields.extend({
        photos: z
          .array(file('JPEG or PNG, at most 5 MB (5,242,880 bytes) and 64 megapixels.'))
          .max(BATCH_SIZE)
          .meta({ description: 'The field is repeated for each photo.' }),
      }),
      output: uploadOutput,
    }),
    requestParams: { path: z.object({ userAlbumId: z.string().meta(ownedAlbumInput.shape.id.meta()!) }) },
  },
  '/search-in-album': form({
    name: 'albums-search',
    summary: 'Find the photos of an album that show a person, by selfies or by an earlier search',
    input: searchFields.extend({
      photo: pictures('Pictures of one person. The field is repeated for each.').optional(),
      otherPhoto: pictures('Pictures of a second person. All pictures together may have 30 MB.').optional(),
    }),
    output: searchOutput,
  }),
  '/submit-photo': form({
    name: 'submissions-submit',
    summary: 'Submit a selfie; the results page shows the photos that it finds',
    input: submitFields.extend({ photo: file(`A picture that shows your face. ${PICTURE}`) }),
    output: submitOutput,
  }),
}

interface FormCall {
  /** As those of procedures: the router and the call. */
  name: string
  summary: string
  input: z.ZodObject
  output: z.ZodType
}

function form({ name, summary, input, output }: FormCall): ZodOpenApiOperationObject {
  return {
    operationId: name,
    summary,
    requestBody: { required: true, content: { 'multipart/form-data': { schema: input } } },
    responses: {
      200: { description: 'Successful response', content: { 'application/json': { schema: output } } },
    },
  }
}

/** The REST calls as an OpenAPI 3.1 document: the procedures of the router, and the calls that take files. */
export function openApiDocument(): oas31.OpenAPIObject {
  const document = generateOpenApiDocument(appRouter, {
    title: 'Inframe',
    description: DESCRIPTION,
    version: readVersion(),
    baseUrl: '/api',
    securitySchemes: {
      maintainer: {
        type: 'http',
        scheme: 'basic',
        description: 'Any user name, and ADMIN_TOKEN as the password.',
      },
    },
    paths: Object.fromEntries(Object.entries(FORM_CALLS).map(([path, post]) => [path, { post }])),
    defs: { Error: errorSchema },
  }) as oas31.OpenAPIObject
  for (const item of Object.values(document.paths!))
    for (const [method, operation] of Object.entries(item)) complete(method, operation)
  const { Error: error } = document.components!.schemas!
  return {
    ...document,
    // Without the generator's own schemas of errors, which no call uses.
    components: { ...document.components, schemas: { Error: error! }, responses: errorResponses() },
  }
}

/** The page of the calls would fill in the examples of all fields, also of those that exclude each other. */
function withoutOptionalExamples(body: oas31.SchemaObject): void {
  for (const [name, field] of Object.entries(body.properties!))
    if (!body.required?.includes(name)) delete (field as oas31.SchemaObject).example
}

function complete(method: string, operation: oas31.OperationObject): void {
  const [noun] = operation.operationId!.split('-') as [string]
  operation.tags = [noun]
  // Browsers send the session's cookie by themselves.
  operation.security = noun === 'mailSetup' ? [{ maintainer: [] }] : []
  // The generator leaves the description of an optional parameter in its schema only.
  for (const parameter of (operation.parameters ?? []) as oas31.ParameterObject[])
    parameter.description ??= (parameter.schema as oas31.SchemaObject).description
  // The generator adds no body when there are no fields, but the service refuses a POST without one.
  if (method === 'post')
    operation.requestBody ??= {
      required: true,
      content: { 'application/json': { schema: { type: 'object' } } },
    }
  const form = (operation.requestBody as oas31.RequestBodyObject | undefined)?.content['multipart/form-data']
  if (form) withoutOptionalExamples(form.schema as oas31.SchemaObject)
  operation.responses = { 200: operation.responses!['200'], ...errorsOf(method) }
}

function readVersion(): string {
  const file = join(import.meta.dirname, '../../package.json')
  return JSON.parse(readFileSync(file, 'utf8')).version
}

/** Serves the description of all REST calls: as JSON for machines, and as a page on which people can try them. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  const document = openApiDocument()
  const text = JSON.stringify(document)
  app.get('/api/openapi.json', (request, reply) => sendCurrent(request, reply, text, JSON_TYPE))
  // Its types know documents of OpenAPI 3.0 only.
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    theme: { title: 'The calls of Inframe' },
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', tryItOutEnabled: true },
    // Its pictures are in its stylesheet, and its script sets styles of elements.
    staticCSP:
      "default-src 'self'; img-src 'self' data:; object-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  })
}
