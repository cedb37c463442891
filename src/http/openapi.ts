import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateOpenApiDocument } from 'trpc-openapi'
import type { oas31 } from 'zod-openapi'
import type { CallDocs } from '../api/call-docs.ts'
import { CALLERS } from '../api/callers.ts'
import { appRouter } from '../api/router.ts'
import type { ProcedureMeta } from '../api/trpc.ts'
import { CONSENT } from '../contract/wording.ts'
import { FORM_CALLS } from './form-calls.ts'
import { errorResponses, errorSchema, generalErrors, uploadErrorSchema } from './openapi-errors.ts'

const TAGS = {
  albums: 'Albums, and how guests enter and search them.',
  owner: 'What the owner of an album does.',
  submissions: 'A selfie that is submitted for a results page, and the photos that it finds.',
  downloads: 'Many photos in one file.',
  'mail set-up': 'Authorising the Gmail account that letters are sent from.',
}

const DESCRIPTION = `Event photo albums in which guests find themselves with a selfie.

Payloads are JSON unless a call says otherwise, and so are answers. A POST without a payload takes \`{}\`.

**Who is who.** The session is an encrypted cookie. Creating an album sets it, and so does entering one; send it back with each call. POST /log-out ends it, together with all copies of the cookie. The owner key is the \`userAlbum.id\` in the answer to creating an album, or the \`ownerKey\` in the answer to POST /albums/{id}/owner-key, and in no other answer. Use it for \`{id}\` and \`{userAlbumId}\` in the address. It gives the rights of the owner, with or without the cookie. \`album.id\` in all other answers is public and gives no right.

**Errors.** The body of every error is \`{message, error, code, reason, requestId}\`. \`error\` is equal to \`message\`. Programs decide by \`reason\`. For invalid input there is also \`issues\`. A request that cannot be read gets the same body, with 400, 408, or 413 when its headers are too large. A service that has a public address answers 400 to requests for other host names. An unknown address answers 404.

**Browsers.** A call that changes something is refused with 403 when it comes from the page of another site.

**Consent.** A call with a selfie is the consent of the person in it, so show them what they agree to before you make it: "${CONSENT.text}" For a child, only a parent or guardian may make the call. An album with the setting \`consentTick\` needs the field \`consent=true\`, for a box that the person has ticked. Inframe counts the consents of each album by their version and minute, and keeps nothing about the person. The counts are deleted with the album.

**Photos** have addresses that expire after an hour, and as soon as the album's password changes. They need no cookie.`

type Operation = oas31.OperationObject
type RequestBody = oas31.RequestBodyObject | undefined
type Schema = oas31.SchemaObject
type Docs = CallDocs & { errorSchema?: 'UploadError' | undefined }

/** The REST calls as an OpenAPI 3.1 document: the procedures of the router, and the calls that take files. */
export function openApiDocument(): oas31.OpenAPIObject {
  const document = generateOpenApiDocument(appRouter, {
    title: 'Inframe',
    description: DESCRIPTION,
    version: readVersion(),
    baseUrl: '/api',
    securitySchemes: {
      session: {
        type: 'apiKey',
        in: 'cookie',
        name: 'inframe',
        description: 'The session. POST /user-albums and POST /albums/{albumName}/authenticate set it.',
      },
      maintainer: {
        type: 'http',
        scheme: 'basic',
        description: 'Any user name, and ADMIN_TOKEN as the password.',
      },
    },
    paths: Object.fromEntries(FORM_CALLS.map(({ path, operation }) => [path, { post: operation }])),
    defs: { Error: errorSchema, UploadError: uploadErrorSchema },
  }) as oas31.OpenAPIObject
  const docs = docsOfCalls()
  for (const [path, item] of Object.entries(document.paths!))
    for (const [method, operation] of Object.entries(item))
      complete(method, path, operation as Operation, docs.get(`${method.toUpperCase()} ${path}`)!)
  const { Error: error, UploadError: uploadError } = document.components!.schemas!
  return {
    ...document,
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: inOrder(document.paths!),
    // Without the generator's own schemas of errors, which no call uses.
    components: {
      ...document.components,
      schemas: { Error: error!, UploadError: tidied(uploadError as Schema) },
    },
  }
}

/** What is documented of each call, by method and path. */
function docsOfCalls(): Map<string, Docs> {
  const procedures = appRouter._def.procedures as unknown as Record<
    string,
    { _def: { meta?: ProcedureMeta } }
  >
  const metas = Object.values(procedures).flatMap(({ _def }) => _def.meta ?? [])
  return new Map<string, Docs>([
    ...metas.map(({ openapi, docs }): [string, Docs] => [`${openapi.method} ${openapi.path}`, docs]),
    ...FORM_CALLS.map(({ path, docs, errorSchema }): [string, Docs] => [
      `POST ${path}`,
      { ...docs, errorSchema },
    ]),
  ])
}

/** The procedures as the router lists them, each call that takes files before the path it names. */
function inOrder(paths: oas31.PathsObject): oas31.PathsObject {
  const forms = new Set(FORM_CALLS.map(({ path }) => path))
  const order = Object.keys(paths)
    .filter((path) => !forms.has(path))
    .flatMap((path) => [...FORM_CALLS.filter(({ before }) => before === path).map((call) => call.path), path])
  return Object.fromEntries(order.map((path) => [path, paths[path]!]))
}

/** Adds to an operation what its schemas do not say. */
function complete(method: string, path: string, operation: Operation, docs: Docs): void {
  const { rule, security, errors: callerErrors } = CALLERS[docs.caller]
  operation.operationId = operation.operationId!.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
  operation.description = `${rule}\n\n${operation.description}`
  operation.security = security
  // The generator leaves the description of an optional parameter in its schema only.
  for (const parameter of (operation.parameters ?? []) as oas31.ParameterObject[])
    parameter.description ??= (parameter.schema as Schema).description
  // The generator adds no body when there are no fields, but the service refuses a POST without one.
  if (method === 'post') operation.requestBody ??= noFields()
  const [bodyType, body] = Object.entries((operation.requestBody as RequestBody)?.content ?? {})[0] ?? []
  if (body) tidied(body.schema as Schema)
  if (body && bodyType === 'application/json') body.example = exampleOf(body.schema as Schema)
  const answer = operation.responses!['200'].content['application/json']
  answer.example = exampleOf(tidied(answer.schema))
  const errors = [...(docs.errors ?? []), ...callerErrors, ...generalErrors({ method, path, bodyType })]
  operation.responses = {
    200: operation.responses!['200'],
    ...errorResponses(errors, docs.errorSchema ?? 'Error'),
  }
}

function noFields(): RequestBody {
  return { required: true, content: { 'application/json': { schema: { type: 'object' } } } }
}

/** A value made of the examples of a schema's fields. */
function exampleOf(schema: Schema): unknown {
  if (schema.example !== undefined) return schema.example
  if (schema.type === 'array') return [exampleOf(schema.items as Schema)]
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [name, exampleOf(field as Schema)]),
  )
}

/** The schema without the limits that zod adds for JavaScript numbers, which limit nothing, and without the pattern of
 *  a date, which `format` already says. */
function tidied(schema: Schema): Schema {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.format === 'date-time') delete schema.pattern
  if (schema.items) tidied(schema.items as Schema)
  for (const field of Object.values(schema.properties ?? {})) tidied(field as Schema)
  return schema
}

function readVersion(): string {
  const file = join(import.meta.dirname, '../../package.json')
  return JSON.parse(readFileSync(file, 'utf8')).version
}
