import { defineConfig } from 'vitest/config'
import { FAULT_TESTS, RUN } from '../vitest.config.ts'

/** Vitest's configuration for the tests that kill processes and dependencies: `npm run test:faults`. */
export default defineConfig({
  test: { ...RUN, include: [FAULT_TESTS] },
})
