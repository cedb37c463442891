import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { RUN } from '../../vitest.config.ts'

/** `npm run screenshots`: the pictures of the documents, and of every state in which the browser tests look at a page. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: { ...RUN, include: ['web/e2e/docs-pictures.ts', 'web/e2e/*.test.ts'] },
})
