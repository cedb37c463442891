import type { oas31 } from 'zod-openapi'
import { html, type Markup, paragraphs, phrase } from './markup.ts'

type Schema = oas31.SchemaObject
type Operation = oas31.OperationObject

interface Call {
  method: string
  path: string
  operation: Operation
}

/** An OpenAPI document as a page without scripts. Its stylesheet is /api/docs.css. */
export function renderDocs(document: oas31.OpenAPIObject): string {
  const base = document.servers![0]!.url
  const calls = Object.entries(document.paths!).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]): Call => ({ method: method.toUpperCase(), path: base + path, operation }),
    ),
  )
  const groups = document.tags!.map((tag) => ({
    ...tag,
    calls: calls.filter(({ operation }) => operation.tags?.includes(tag.name)),
  }))
  const { title, version, description = '' } = document.info
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The calls of ${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/docs.css">
</head>
<body>
<a class="skip" href="#calls">Skip to the calls</a>
<header>
<h1>The calls of ${title} <span>${version}</span></h1>
${paragraphs(description)}
<p>The same for machines, as <a href="${base}/openapi.json">OpenAPI ${document.openapi}</a>.</p>
</header>
<nav aria-label="Calls">
${groups.map(
  (group) => html`<h2>${group.name}</h2>
<ul>${group.calls.map(
    ({ method, path, operation }) =>
      html`<li><a href="#${operation.operationId}">${badge(method)} ${breakable(path)}</a></li>`,
  )}</ul>`,
)}
</nav>
<main id="calls" tabindex="-1">
${groups.map(
  (group) => html`<section>
<h2>${group.name}</h2>
${paragraphs(group.description ?? '')}
${group.calls.map(renderCall)}
</section>`,
)}
</main>
</body>
</html>
`.markup
}

function renderCall({ method, path, operation }: Call): Markup {
  const inputs = inputsOf(operation)
  const body = bodyOf(operation)
  const answer = mediaOf(operation.responses!['200'])
  const { 200: _, ...failures } = operation.responses!
  return html`<article id="${operation.operationId}" aria-labelledby="${operation.operationId}-title">
<h3 id="${operation.operationId}-title">${operation.summary}</h3>
<p class="address">${badge(method)} <code>${breakable(path)}</code></p>
${paragraphs(operation.description ?? '')}
${inputs.length > 0 && html`<h4>Input <span>${body?.type}</span></h4>${fieldList(inputs)}`}
${body?.example !== undefined && example(body.example)}
<h4>Answer <span>200</span></h4>
${example(answer.example)}
<details><summary>Its fields</summary>${fieldList(fieldsOf(answer.schema as Schema))}</details>
<details><summary>Errors: ${Object.keys(failures).join(', ')}</summary>
<dl class="errors">${Object.entries(failures).map(renderFailure)}</dl></details>
</article>`
}

function renderFailure([status, response]: [string, oas31.ResponseObject]): Markup {
  const messages = Object.keys(mediaOf(response).examples ?? {})
  const headers = Object.keys(response.headers ?? {})
  return html`<dt>${status} <span>${response.description}${headers.length > 0 && ` With ${headers.join(', ')}.`}</span></dt>
<dd><ul>${messages.map((message) => html`<li>${message}</li>`)}</ul></dd>`
}

interface Field {
  name: string
  /** Its place, such as the address. Undefined for a field of the body or of the answer. */
  place?: string
  schema: Schema
  required: boolean
  description: string | undefined
}

function inputsOf(operation: Operation): Field[] {
  const parameters = (operation.parameters ?? []) as oas31.ParameterObject[]
  const body = bodyOf(operation)
  return [
    ...parameters.map(({ name, schema, required = false, description }) => ({
      name,
      place: 'in the address',
      schema: schema as Schema,
      required,
      description,
    })),
    ...(body ? fieldsOf(body.schema) : []),
  ]
}

function bodyOf(operation: Operation): { type: string; schema: Schema; example: unknown } | undefined {
  const content = (operation.requestBody as oas31.RequestBodyObject | undefined)?.content
  const [type, media] = Object.entries(content ?? {})[0] ?? []
  return type && media ? { type, schema: media.schema as Schema, example: media.example } : undefined
}

function mediaOf(response: oas31.ResponseObject): oas31.MediaTypeObject {
  return response.content!['application/json']!
}

/** All fields of a schema. The name of an inner field includes the names of the fields around it. */
function fieldsOf(schema: Schema, prefix = ''): Field[] {
  if (schema.type === 'array') return fieldsOf(schema.items as Schema, prefix ? `${prefix}[].` : '[].')
  return Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([name, field]) => {
    const full = prefix + name
    const required = schema.required?.includes(name) ?? false
    const inner = field.type === 'array' ? fieldsOf(field, full) : fieldsOf(field, `${full}.`)
    return [{ name: full, schema: field, required, description: field.description }, ...inner]
  })
}

function fieldList(fields: Field[]): Markup {
  return html`<dl class="fields">${fields.map(
    ({ name, place, schema, required, description }) => html`<dt><code>${breakable(name)}</code>
<span>${[typeOf(schema), place, !required && 'optional'].filter(Boolean).join(', ')}</span></dt>
<dd>${phrase(description ?? '')}</dd>`,
  )}</dl>`
}

function typeOf(schema: Schema): string {
  const { type, items, enum: values, minLength, maxLength, minItems, maxItems, minimum, maximum } = schema
  if (schema.const !== undefined) return `always ${schema.const}`
  if (values) return `one of ${values.join(', ')}`
  if (schema.contentMediaType) return 'file'
  if (type === 'array') return `list${range(minItems, maxItems, 'entries')} of ${typeOf(items as Schema)}`
  if (type === 'string') return schema.format ?? `text${range(minLength, maxLength, 'characters')}`
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(' or ')
  return `${type}${range(minimum, maximum, '')}`
}

function range(from: number | undefined, to: number | undefined, unit: string): string {
  if (to === undefined) return ''
  const limits = from === undefined ? `at most ${count(to)}` : `${count(from)} to ${count(to)}`
  return ` (${limits}${unit && ` ${unit}`})`
}

const count = (number: number) => number.toLocaleString('en')

function badge(method: string): Markup {
  return html`<b class="method ${method.toLowerCase()}">${method}</b>`
}

/** The text with a line-break opportunity before each part, for long addresses and names. */
function breakable(text: string): Markup {
  const [first, ...others] = text.split(/(?=[/.])/)
  return html`${first}${others.map((part) => html`<wbr>${part}`)}`
}

function example(value: unknown): Markup {
  return html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`
}
