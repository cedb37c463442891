import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateOpenApiDocument } from 'trpc-openapi'
import type { oas31 } from 'zod-openapi'
import { ANSWER_FIELDS } from './openapi-answers.ts'
import { CALLERS } from './openapi-callers.ts'
import { CALLS, type CallFacts } from './openapi-calls.ts'
import { errorResponses, errorSchema, generalErrors, uploadErrorSchema } from './openapi-errors.ts'
import { FORM_CALLS } from './openapi-forms.ts'
import { appRouter } from './router.ts'

const TAGS = {
  albums: 'Albums, and how guests enter and search them.',
  owner: 'What the owner of an album does.',
  submissions: 'A selfie that is handed in, and what it finds.',
  'mail set-up': 'Authorising the Gmail account that letters are sent from.',
}

const DESCRIPTION = `Event photo albums in which guests find themselves with a selfie.

Payloads are JSON unless a call says otherwise, and so are answers. A POST without a payload takes \`{}\`.

**Who is who.** The session is an encrypted cookie, which creating an album and entering one set: send it back. The owner key is the \`userAlbum.id\` that creating an album answers, once; it stands in for \`{id}\` and \`{userAlbumId}\` in the address, and whoever holds it is the owner, cookie or not. \`album.id\` in all other answers is public and gives no right.

**Errors.** Every failure answers \`{message, error, code, requestId}\` with its status, \`error\` being equal to \`message\`, and \`issues\` where an input is invalid. A request that cannot be read at all is answered so, too: 400, 408, or 413 when its headers are too large. An unknown address answers 404.

**Browsers.** A call that changes something is refused with 403 when it comes from the page of another site.

**Photos** are at addresses that expire after an hour, and as soon as the album's password changes. They need no cookie.`

type Operation = oas31.OperationObject
type RequestBody = oas31.RequestBodyObject | undefined
type Schema = oas31.SchemaObject

/** The REST calls as an OpenAPI 3.1 document: the procedures of the router and the calls that take files, each
 *  with what `openapi-calls.ts` says of it. */
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
    paths: FORM_CALLS,
    defs: { Error: errorSchema, UploadError: uploadErrorSchema },
  }) as oas31.OpenAPIObject
  for (const [path, item] of Object.entries(document.paths!))
    for (const [method, operation] of Object.entries(item)) complete(method, path, operation as Operation)
  const { Error: plain, UploadError: ofUpload } = document.components!.schemas!
  describe(ofUpload as Schema, wordsForAnswer)
  return {
    ...document,
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: inOrder(document.paths!),
    // The generator's own schemas of errors are nobody's.
    components: { ...document.components, schemas: { Error: plain!, UploadError: ofUpload! } },
  }
}

/** As `CALLS` lists them; what is missing there comes last. */
function inOrder(paths: oas31.PathsObject): oas31.PathsObject {
  const order = [...new Set(Object.keys(CALLS).map((call) => call.split(' ')[1]!)), ...Object.keys(paths)]
  return Object.fromEntries(order.flatMap((path) => (paths[path] ? [[path, paths[path]]] : [])))
}

/** Adds to an operation what its schemas do not say. */
function complete(method: string, path: string, operation: Operation): void {
  const facts: Partial<CallFacts> = CALLS[`${method.toUpperCase()} ${path}`] ?? {}
  const caller = facts.who && CALLERS[facts.who]
  operation.operationId = operation.operationId!.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
  operation.description = [caller?.rule, facts.description].filter(Boolean).join('\n\n')
  operation.security = caller?.security ?? []
  // The generator sees no body where there are no fields, and the service refuses a POST without one.
  if (method === 'post') operation.requestBody ??= noFields()
  const [bodyType, body] = Object.entries((operation.requestBody as RequestBody)?.content ?? {})[0] ?? []
  for (const parameter of (operation.parameters ?? []) as oas31.ParameterObject[])
    Object.assign(parameter, { description: facts.inputs?.[parameter.name] })
  if (body) {
    describe(body.schema as Schema, (name) => facts.inputs?.[name])
    body.example = facts.request
  }
  const answer = operation.responses!['200'].content['application/json']
  describe(answer.schema, wordsForAnswer)
  answer.example = facts.answer
  const errors = [
    ...(facts.errors ?? []),
    ...(caller?.errors ?? []),
    ...generalErrors({ method, path, bodyType }),
  ]
  operation.responses = {
    200: operation.responses!['200'],
    ...errorResponses(errors, operation.operationId === 'uploadPhotos' ? 'UploadError' : 'Error'),
  }
}

function noFields(): RequestBody {
  return { required: true, content: { 'application/json': { schema: { type: 'object' } } } }
}

/** Gives the fields of a schema their words, and takes out what zod adds to say that a JavaScript number is
 *  meant: it limits nothing.
 *  @param wordsFor asked with a field's name and that of the field around it */
function describe(
  schema: Schema,
  wordsFor: (name: string, parent: string) => string | undefined,
  parent = '',
) {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  // What `format` says already, in 300 characters.
  if (schema.format === 'date-time') delete schema.pattern
  if (schema.items) describe(schema.items as Schema, wordsFor, parent)
  for (const [name, field] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
    field.description ??= wordsFor(name, parent)
    describe(field, wordsFor, name)
  }
}

function wordsForAnswer(name: string, parent: string): string | undefined {
  return ANSWER_FIELDS[`${parent}.${name}`] ?? ANSWER_FIELDS[name]
}

function readVersion(): string {
  const file = join(import.meta.dirname, '../../package.json')
  return JSON.parse(readFileSync(file, 'utf8')).version
}
