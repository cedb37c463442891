import { defineConfig } from 'vitest/config'
import { RUN, S3_TESTS, SLOW_TESTS } from '../vitest.config.ts'

/** Vitest's configuration for `npm run test:slow [-- FILE ...]`. */
export default defineConfig({
  test: {
    ...RUN,
    projects: [
      { extends: true, test: { name: 'slow', include: [SLOW_TESTS] } },
      {
        extends: true,
        test: {
          name: 's3',
          include: [S3_TESTS],
          globalSetup: ['src/testing/template-database.ts', 'src/testing/swift-for-tests.ts'],
          // Swift is five Python processes, which are slow.
          testTimeout: 180_000,
        },
      },
    ],
  },
})
