import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { RUN } from '../../vitest.config.ts'

/** `npm run screenshots`: not a test, but it needs the tests' database and build. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: { ...RUN, include: ['web/e2e/docs-pictures.ts'] },
})
