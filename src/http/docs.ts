import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { JSON_TYPE, prepareAnswer } from './compression.ts'
import { renderDocs } from './docs-page.ts'
import { openApiDocument } from './openapi.ts'

/** Serves the description of all REST calls: as JSON for machines, and as a page for people. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  const document = openApiDocument()
  const json = await prepareAnswer(JSON.stringify(document), JSON_TYPE)
  const page = await prepareAnswer(renderDocs(document), 'text/html; charset=utf-8')
  const styles = await readFile(join(import.meta.dirname, 'docs.css'), 'utf8')
  app.get('/openapi.json', json)
  app.get('/docs', page)
  app.get('/docs/', (_request, reply) => reply.redirect('/api/docs', 301))
  app.get('/docs.css', (_request, reply) => reply.type('text/css; charset=utf-8').send(styles))
}
