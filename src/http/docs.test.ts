import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { oas31 } from 'zod-openapi'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createClient } from '../testing/client.ts'
import { renderDocs } from './docs-page.ts'

/** The routes of the document itself, which it does not describe. */
const OWN_ROUTES = ['GET /openapi.json', 'GET /docs', 'GET /docs/', 'GET /docs.css']

let service: TestApp
let document: oas31.OpenAPIObject

beforeAll(async () => {
  service = await startTestApp({ work: false })
  document = (await createClient(service.url).get('/api/openapi.json')).body
})
afterAll(() => service?.close())

const describedCalls = () =>
  Object.entries(document.paths!).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )

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

/** Fastify prints `:one|:other` where routes name a parameter differently. */
function namesOf(route: string): string[] {
  const names = route.match(/:\w+(\|:\w+)+/)?.[0]
  return names ? names.split('|').map((name) => route.replace(names, name)) : [route]
}

describe('GET /api/openapi.json', () => {
  test('is the committed document', async () => {
    const committed = await readFile(join(import.meta.dirname, '../contract/openapi.json'), 'utf8')
    expect(document).toEqual(JSON.parse(committed))
  })

  test('has every route that Fastify knows under /api', () => {
    // Routes of different methods may name a parameter differently.
    const trees = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) =>
      service.app.printRoutes({ commonPrefix: false, method }),
    )
    // The wildcard serves the procedures.
    const routes = trees.flatMap(routesOf).filter((route) => /^\w+ \/api\/[^*]/.test(route))
    expect(routes).toContain('POST /api/albums/:userAlbumId/upload-photos')
    expect(routes).toContain('GET /api/docs.css')
    const described = [...describedCalls(), ...OWN_ROUTES].map((call) =>
      call.replace(' ', ' /api').replace(/\{(\w+)\}/g, ':$1'),
    )
    const isDescribed = (route: string) => namesOf(route).some((name) => described.includes(name))
    expect(routes.filter((route) => !isDescribed(route))).toEqual([])
  })

  test('has no call without a route', async () => {
    for (const call of describedCalls()) {
      const [method, path] = call.split(' ')
      const response = await fetch(`${service.url}/api${path!.replace(/\{\w+\}/, 'x')}`, { method: method! })
      expect(await response.text(), call).not.toMatch(/"Not found"|There is nothing at this address/)
    }
    const unknown = await fetch(`${service.url}/api/unknown`, { method: 'POST' })
    expect(await unknown.text()).toMatch(/"Not found"|There is nothing at this address/)
  })
})

describe('GET /api/docs', () => {
  test('is a page of every call, without scripts and inline styles', async () => {
    const { status, headers, body } = await createClient(service.url).get('/api/docs')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toMatch(/style-src 'self';?/)
    expect(body).not.toMatch(/<script|<style| style=| on\w+=|https?:\/\/(?!\S*example|accounts\.google)/)
    for (const call of describedCalls()) expect(body.replaceAll('<wbr>', '')).toContain(call.split(' ')[1])
    const targets = [...body.matchAll(/href="#([^"]+)"/g)].map((match) => match[1])
    expect(targets.length).toBeGreaterThan(describedCalls().length)
    expect(targets.filter((target) => !body.includes(`id="${target}"`))).toEqual([])
  })

  test('escapes text everywhere', () => {
    const wild = `"><script>alert('&')</script>`
    const words = { title: wild, version: wild, description: `${wild} \`${wild}\` **${wild}**` }
    const [[path, item]] = Object.entries(document.paths!) as [[string, oas31.PathItemObject]]
    const operation = { ...item.post!, summary: wild, description: wild, operationId: wild, tags: [wild] }
    const page = renderDocs({
      ...document,
      info: words,
      tags: [{ name: wild, description: wild }],
      paths: { [path + wild]: { post: operation } },
    })
    expect(page).toContain('&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;')
    expect(page).not.toMatch(/<script|alert\('/)
  })
})
