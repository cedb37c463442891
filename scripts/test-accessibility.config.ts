import { defineConfig } from 'vitest/config'
import { ACCESSIBILITY_TESTS, RUN } from '../vitest.config.ts'

/** Vitest's configuration for the accessibility of every page in every state: `npm run test:accessibility`. */
export default defineConfig({
  test: { ...RUN, include: [ACCESSIBILITY_TESTS] },
})
