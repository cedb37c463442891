import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { JSON_TYPE, prepareAnswer } from './compression.ts'
import { openApiDocument } from './openapi.ts'

/** Serves the description of all REST calls: as JSON for machines, and as a page on which people can try them. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  const document = openApiDocument()
  app.get('/api/openapi.json', await prepareAnswer(JSON.stringify(document), JSON_TYPE))
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
