import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { JSON_TYPE, sendCompressed } from './compression.ts'
import { renderDocs } from './docs-page.ts'
import { openApiDocument } from './openapi.ts'

/** Serves the description of all REST calls: as JSON for machines, and as a page for people. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  const document = openApiDocument()
  const json = JSON.stringify(document)
  const page = renderDocs(document)
  const styles = await readFile(join(import.meta.dirname, 'docs.css'), 'utf8')
  app.get('/openapi.json', (request, reply) => sendCompressed(request, reply.type(JSON_TYPE), json))
  app.get('/docs', (request, reply) => sendCompressed(request, reply.type('text/html; charset=utf-8'), page))
  app.get('/docs/', (_request, reply) => reply.redirect('/api/docs', 301))
  app.get('/docs.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(styles))
}
