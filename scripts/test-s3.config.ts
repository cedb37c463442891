import { defineConfig } from 'vitest/config'
import { RUN, S3_TESTS } from '../vitest.config.ts'

/** Vitest's configuration for the tests that need an S3: `npm run test:s3`. */
export default defineConfig({
  test: {
    ...RUN,
    include: [S3_TESTS],
    exclude: [],
    globalSetup: ['src/testing/template-database.ts', 'src/testing/swift-for-tests.ts'],
    // Swift is five Python processes, which are slow.
    hookTimeout: 180_000,
    testTimeout: 180_000,
  },
})
