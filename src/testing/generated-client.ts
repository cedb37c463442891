import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { AxiosResponse } from 'axios'
import {
  type Document,
  OpenAPIClientAxios,
  type Operation,
  type UnknownOperationMethod,
} from 'openapi-client-axios'

/** A client that a library generates from the served OpenAPI document alone. Its methods are the operations. It sends
 *  the session cookie only where the document asks for one, and fails on every answer that the document does not
 *  describe. */
export interface GeneratedClient {
  /** Calls an operation.
   *  @param parameters by name
   *  @param body the fields of the JSON or the form; a form's fields may be lists and files */
  call(operationId: string, parameters?: object, body?: object): Promise<{ status: number; body: Body }>
  operationIds: string[]
  /** The ids of the operations that have been called. */
  called: Set<string>
}

// biome-ignore lint/suspicious/noExplicitAny: tests read fields of any answer
type Body = any

export async function createGeneratedClient(siteUrl: string): Promise<GeneratedClient> {
  const documentUrl = `${siteUrl}/api/openapi.json`
  const document = (await (await fetch(documentUrl)).json()) as Document
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const { name: cookieName } = document.components!.securitySchemes!.session as { name: string }
  const called = new Set<string>()
  let session: string | undefined

  function check(operation: Operation, { status, data, headers }: AxiosResponse): void {
    called.add(operation.operationId!)
    const what = `${operation.operationId} ${status}`
    const response = operation.responses[status]
    if (!response || !('content' in response)) throw new Error(`${what} is not in the document`)
    const [type, media] = Object.entries(response.content!)[0]!
    if (!String(headers['content-type']).startsWith(type)) throw new Error(`${what} is not ${type}`)
    const validate = ajv.compile(media.schema!)
    if (!validate(data)) throw new Error(`${what} is not as described: ${ajv.errorsText(validate.errors)}`)
  }

  function withSession(method: UnknownOperationMethod, operation: Operation): UnknownOperationMethod {
    const takesSession = operation.security!.some((scheme) => 'session' in scheme)
    return async (parameters, body, config) => {
      const cookie = takesSession && session ? { cookie: `${cookieName}=${session}` } : {}
      const response = await method(parameters, encode(operation, body), { ...config, headers: cookie })
      for (const line of response.headers['set-cookie'] ?? [])
        if (line.startsWith(`${cookieName}=`)) session = line.split(/[=;]/)[1]
      check(operation, response)
      return response
    }
  }

  const api = new OpenAPIClientAxios({
    definition: document,
    transformOperationMethod: withSession,
    axiosConfigDefaults: {
      baseURL: new URL(document.servers![0]!.url, documentUrl).href,
      validateStatus: () => true,
    },
  })
  const client = await api.init()

  return {
    operationIds: api.getOperations().map((operation) => operation.operationId!),
    called,
    async call(operationId, parameters = {}, body) {
      const method = client[operationId] as UnknownOperationMethod | undefined
      if (!method) throw new Error(`The document has no operation ${operationId}`)
      const { status, data } = await method({ ...parameters }, body)
      return { status, body: data }
    },
  }
}

/** The body in the media type that the document gives for the operation. */
function encode(operation: Operation, body: Record<string, unknown> | undefined): unknown {
  if (!operation.requestBody || !('content' in operation.requestBody)) return undefined
  const [type, media] = Object.entries(operation.requestBody.content)[0]!
  if (type !== 'multipart/form-data') return body ?? media.example
  const form = new FormData()
  for (const [name, value] of Object.entries(body!)) {
    if (!(name in (media.schema as { properties: object }).properties))
      throw new Error(`The document has no field ${name} in ${operation.operationId}`)
    for (const one of [value].flat()) form.append(name, one as string | Blob)
  }
  return form
}
