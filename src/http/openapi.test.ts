import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import type { oas31 } from 'zod-openapi'
import { appOfFile } from '../testing/app-of-file.ts'
import { createClient } from '../testing/client.ts'
import { openApiDocument } from './openapi.ts'

const document = openApiDocument()
const operations = new Map(
  Object.entries(document.paths!).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [
      `${method.toUpperCase()} ${path}`,
      operation as oas31.OperationObject,
    ]),
  ),
)

const service = await appOfFile({ work: false })

/** The names of all fields of a schema, at any depth, with their descriptions. */
function fieldsOf(schema: oas31.SchemaObject): [name: string, description: string | undefined][] {
  if (schema.items) return fieldsOf(schema.items as oas31.SchemaObject)
  return Object.entries((schema.properties ?? {}) as Record<string, oas31.SchemaObject>).flatMap(
    ([name, field]) => [[name, field.description], ...fieldsOf(field)],
  )
}

function inputsOf({ parameters = [], requestBody }: oas31.OperationObject) {
  const [body] = Object.values((requestBody as oas31.RequestBodyObject | undefined)?.content ?? {})
  const named = (parameters as oas31.ParameterObject[]).map(({ name, description }) => [name, description])
  return [...named, ...fieldsOf((body?.schema ?? {}) as oas31.SchemaObject)]
}

const answersOf = (operation: oas31.OperationObject) =>
  fieldsOf(operation.responses!['200'].content['application/json'].schema)

test('the document is valid OpenAPI 3.1, and is what the service answers', async () => {
  const { body } = await createClient(service.url).get('/api/openapi.json')
  expect(body).toEqual(JSON.parse(JSON.stringify(document)))
  const validator = new Validator()
  const { valid, errors } = await validator.validate(body)
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(validator.version).toBe('3.1')
})

test('each call has a name of its own, and describes all its inputs and its answer', () => {
  const ids = [...operations.values()].map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [call, operation] of operations) {
    expect(operation.summary, call).toBeTruthy()
    const fields = [...inputsOf(operation), ...answersOf(operation)]
    expect(
      fields.filter(([, description]) => !description).map(([name]) => name),
      call,
    ).toEqual([])
  }
})

/** Fastify's routes, read from the tree that it prints. The path of each line continues that of its parent line. */
function routesOf(tree: string): string[] {
  const paths: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = line.match(/^(.*?)[├└]── (\S+)(?: \((.+)\))?$/) ?? []
    const depth = indent.length / 4
    paths[depth] = (paths[depth - 1] ?? '') + part
    return methods.split(', ').map((method) => `${method} ${paths[depth]}`)
  })
}

test('it has every route that Fastify knows under /api', () => {
  const routes = routesOf(service.app.printRoutes({ commonPrefix: false })).filter((route) =>
    // The wildcard serves the procedures; the others are of the document itself.
    /^(?!HEAD)\w+ \/api\/(?!\*|docs|openapi\.json)/.test(route),
  )
  expect(routes).toContain('POST /api/search-in-album')
  const described = [...operations.keys()].map((call) =>
    call.replace(' ', ' /api').replace(/\{(\w+)\}/g, ':$1'),
  )
  expect(routes.filter((route) => !described.includes(route))).toEqual([])
})

test('docs/api.md has a row for each call', () => {
  const table = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8')
  const paths = [...table.matchAll(/`(?:GET|POST|DELETE) (\/api\/[^`?]+)/g)].map(([, path]) => path)
  const plain = (path: string) => path.replaceAll(/\{[^}]+\}/g, '{}')
  const missing = Object.keys(document.paths!).filter(
    (path) => !paths.some((other) => plain(other!) === plain(`/api${path}`)),
  )
  expect(missing).toEqual([])
})

test('the page of the calls may load nothing from elsewhere', async () => {
  const client = createClient(service.url)
  const { status, headers, body } = await client.get('/api/docs')
  expect(status).toBe(200)
  const policy = headers.get('content-security-policy')!
  expect(policy).toContain("default-src 'self'")
  expect(policy).not.toMatch(/unsafe|https?:/)
  const files = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!)
  expect(files.length).toBeGreaterThan(3)
  for (const address of files) expect((await client.get(address)).status, address).toBe(200)
})
