import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { OpenApiMeta } from 'trpc-openapi'
import { expect, test } from 'vitest'
import type { oas31 } from 'zod-openapi'
import { appRouter } from '../api/router.ts'
import { FORM_CALLS } from './form-calls.ts'
import { openApiDocument } from './openapi.ts'

const document = openApiDocument()
const operations = Object.entries(document.paths!).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    call: `${method.toUpperCase()} ${path}`,
    operation: operation as oas31.OperationObject,
  })),
)

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)

/** Why a value does not match a schema; undefined when it does. */
function faultOf(value: unknown, schema: object): string | undefined {
  const validate = ajv.compile({ ...schema, components: document.components })
  return validate(value) ? undefined : ajv.errorsText(validate.errors)
}

/** The names of fields without a description, at any depth. */
function undescribed(schema: oas31.SchemaObject): string[] {
  if (schema.items) return undescribed(schema.items as oas31.SchemaObject)
  return Object.entries((schema.properties ?? {}) as Record<string, oas31.SchemaObject>).flatMap(
    ([name, field]) => [...(field.description ? [] : [name]), ...undescribed(field)],
  )
}

function bodyOf(operation: oas31.OperationObject): oas31.MediaTypeObject | undefined {
  const body = operation.requestBody as oas31.RequestBodyObject | undefined
  return body && Object.values(body.content)[0]
}

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(validator.version).toBe('3.1')
})

test('the committed document is current', () => {
  const committed = readFileSync(join(import.meta.dirname, '../contract/openapi.json'), 'utf8')
  const current = `${JSON.stringify(document, null, 2)}\n`
  expect(
    committed === current,
    'src/contract/openapi.json is not current: run `npm run openapi` and commit what it writes',
  ).toBe(true)
})

/** Calls of the web app alone, without a REST path. */
const WEB_ONLY = [
  'albums.visit',
  'albums.enterAsOwner',
  'albums.browserKey',
  'mailSetup.openSetupLink',
  'albums.listPage',
  'alerts.confirm',
  'alerts.read',
  'letters.confirm',
  'letters.confirmNewAddress',
  'letters.stop',
  'optOuts.list',
  'optOuts.answer',
]

test('every procedure is in it, except those of the web app alone', () => {
  const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { meta?: OpenApiMeta } }>
  const isInDocument = ([, { _def }]: [string, { _def: { meta?: OpenApiMeta } }]) => _def.meta?.openapi
  const webOnly = Object.entries(procedures).filter((procedure) => !isInDocument(procedure))
  expect(webOnly.map(([name]) => name).sort()).toEqual(WEB_ONLY.toSorted())
  const calls = Object.values(procedures).flatMap(({ _def }) => _def.meta?.openapi ?? [])
  expect(calls.length).toBeGreaterThan(10)
  expect(operations.map(({ call }) => call)).toEqual(
    expect.arrayContaining(calls.map(({ method, path }) => `${method} ${path}`)),
  )
})

test('every call that takes files is in it, before the path that it names', () => {
  const paths = Object.keys(document.paths!)
  for (const { path, before } of FORM_CALLS) {
    expect(paths).toContain(path)
    expect(paths.slice(paths.indexOf(path))).toContain(before)
  }
})

test('each operation has a unique name that code can use', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id!))).toEqual([])
  const tags = document.tags!.map((tag) => tag.name)
  for (const { call, operation } of operations)
    expect(tags, call).toEqual(expect.arrayContaining(operation.tags!))
})

test.each(operations)('$call describes all its inputs and its answer', ({ operation }) => {
  const parameters = (operation.parameters ?? []) as oas31.ParameterObject[]
  expect(parameters.filter((parameter) => !parameter.description)).toEqual([])
  expect(undescribed((bodyOf(operation)?.schema ?? {}) as oas31.SchemaObject)).toEqual([])
  expect(undescribed(operation.responses!['200'].content['application/json'].schema)).toEqual([])
  expect(operation.summary).toBeTruthy()
  expect(operation.description).toBeTruthy()
})

test.each(operations)('the examples of $call match their schemas', ({ operation }) => {
  const body = bodyOf(operation)
  const isForm = 'multipart/form-data' in ((operation.requestBody as oas31.RequestBodyObject)?.content ?? {})
  if (body && !isForm) expect(faultOf(body.example, body.schema!)).toBeUndefined()
  for (const [status, response] of Object.entries<oas31.ResponseObject>(operation.responses!)) {
    const { schema, example, examples } = response.content!['application/json']!
    const values =
      status === '200' ? [example] : Object.values(examples!).map((one) => (one as { value: unknown }).value)
    expect(values.length).toBeGreaterThan(0)
    for (const value of values) expect(faultOf(value, schema!), status).toBeUndefined()
  }
})
